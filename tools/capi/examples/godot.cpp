// A GDExtension for Godot 4.3 and later: the node HitmaskWorld, which signals the touches of sprites.
// It uses hitmask.h and not hitmask.hpp, because godot-cpp builds without exceptions by default.
//
//   func _ready():
//     $HitmaskWorld.open(FileAccess.get_file_as_bytes("res://sprites.hitmask"))
//     $HitmaskWorld.add($Ship, "ship")
//     $HitmaskWorld.touched.connect(func(a, b): print(a, " touches ", b))
#include "hitmask.h"
#include <godot_cpp/classes/node2d.hpp>
#include <godot_cpp/core/class_db.hpp>
#include <godot_cpp/core/object.hpp>
#include <godot_cpp/godot.hpp>
#include <godot_cpp/variant/utility_functions.hpp>
#include <vector>

// Returns whether there is an answer. An error of the library goes to Godot's log.
static bool check(hm_status status) {
  if (status != HM_OK && status != HM_NONE) {
    godot::UtilityFunctions::push_error(hm_status_text(status), ": ", godot::String::utf8(hm_last_error()));
  }
  return status == HM_OK;
}

class HitmaskWorld : public godot::Node2D {
  GDCLASS(HitmaskWorld, godot::Node2D)

  hm_atlas *atlas = nullptr;
  hm_world *world = nullptr;
  std::vector<godot::ObjectID> nodes;
  std::vector<hm_collider_id> ids;
  std::vector<hm_placement> placements;

  // The node that add() stored with a collider, or null if it was freed.
  godot::Object *node_of(hm_collider_id id) const {
    uint64_t node = 0;
    check(hm_world_user_data(world, id, &node));
    return godot::ObjectDB::get_instance(node);
  }

protected:
  static void _bind_methods() {
    using namespace godot;
    ClassDB::bind_method(D_METHOD("open", "bytes"), &HitmaskWorld::open);
    ClassDB::bind_method(D_METHOD("add", "node", "sprite"), &HitmaskWorld::add);
    ADD_SIGNAL(MethodInfo("touched", PropertyInfo(Variant::OBJECT, "a"), PropertyInfo(Variant::OBJECT, "b")));
  }

public:
  ~HitmaskWorld() { close(); }

  void close() {
    hm_world_destroy(world);
    hm_atlas_destroy(atlas);
    world = nullptr;
    atlas = nullptr;
    nodes.clear();
    ids.clear();
  }

  // Takes the bytes of an atlas of `hitmask bake`.
  bool open(const godot::PackedByteArray &bytes) {
    close();
    return check(hm_atlas_from_bytes(bytes.ptr(), size_t(bytes.size()), nullptr, &atlas)) &&
           check(hm_world_create(atlas, &world));
  }

  // Adds a collider that follows a node. The node is a Sprite2D that is centred, or has its origin at the pivot.
  bool add(godot::Node2D *node, const godot::String &sprite) {
    ERR_FAIL_COND_V_MSG(!world || !node, false, "open an atlas first, and give a node");
    hm_collider collider = hm_default_collider();
    const bool found = check(hm_atlas_sprite(atlas, sprite.utf8().get_data(), &collider.sprite));
    ERR_FAIL_COND_V_MSG(!found, false, "the atlas has no sprite " + sprite);
    collider.scale = float(node->get_global_scale().x);
    hm_collider_id id = 0;
    if (!check(hm_world_insert(world, &collider, &id))) return false;
    check(hm_world_set_user_data(world, id, node->get_instance_id()));
    nodes.push_back(godot::ObjectID(node->get_instance_id()));
    ids.push_back(id);
    return true;
  }

  void _physics_process(double) override {
    if (!world) return;
    placements.resize(ids.size());
    for (size_t i = 0; i < ids.size();) {
      const auto *node = godot::Object::cast_to<godot::Node2D>(godot::ObjectDB::get_instance(nodes[i]));
      if (!node) { // it was freed
        check(hm_world_remove(world, ids[i]));
        nodes.erase(nodes.begin() + i);
        ids.erase(ids.begin() + i);
        continue;
      }
      // Godot's axes and angles are those of the library: y down, clockwise in radians.
      const godot::Vector2 at = node->get_global_position();
      placements[i] = {float(at.x), float(at.y), float(node->get_global_rotation())};
      i++;
    }
    hm_pairs began = {};
    check(hm_world_set_placements(world, ids.data(), placements.data(), ids.size()));
    check(hm_world_update(world));
    check(hm_world_began(world, &began));
    // A copy, because a receiver of the signal may call open(), which ends the lent list.
    const std::vector<hm_pair> pairs(began.items, began.items + began.count);
    for (const hm_pair &pair : pairs) {
      emit_signal("touched", node_of(pair.a), node_of(pair.b));
    }
  }
};

// Godot loads the extension by this function: `entry_symbol = "hitmask_init"` in hitmask.gdextension.
extern "C" GDExtensionBool GDE_EXPORT hitmask_init(GDExtensionInterfaceGetProcAddress get_proc_address,
                                                   GDExtensionClassLibraryPtr library,
                                                   GDExtensionInitialization *initialization) {
  godot::GDExtensionBinding::InitObject init(get_proc_address, library, initialization);
  init.register_initializer([](godot::ModuleInitializationLevel level) {
    if (level == godot::MODULE_INITIALIZATION_LEVEL_SCENE) GDREGISTER_CLASS(HitmaskWorld);
  });
  init.register_terminator([](godot::ModuleInitializationLevel) {});
  init.set_minimum_library_initialization_level(godot::MODULE_INITIALIZATION_LEVEL_SCENE);
  return init.init();
}
