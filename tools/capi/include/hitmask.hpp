/*
 * hitmask for C++17: owners of the handles of hitmask.h, exceptions for its errors, and ranges for
 * its lists. A thin layer: every object has get(), so that any function of hitmask.h can be called.
 *
 *   hitmask::World world(atlas);
 *   world.update();
 *   for (hm_pair pair : world.began()) { ... }
 */
#ifndef HITMASK_HPP
#define HITMASK_HPP

#include "hitmask.h"

#include <cstddef>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace hitmask {

/// An error of the library: its status, and the message of hm_last_error().
class Error : public std::runtime_error {
public:
  explicit Error(hm_status status)
      : std::runtime_error(std::string(hm_status_text(status)) + ": " + hm_last_error()),
        status_(status) {}
  hm_status status() const noexcept { return status_; }

private:
  hm_status status_;
};

/// Throws an Error unless the call succeeded. Returns false for HM_NONE.
inline bool check(hm_status status) {
  if (status == HM_NONE) return false;
  if (status != HM_OK) throw Error(status);
  return true;
}

/// A lent list: valid for as long as the function of hitmask.h says.
template <typename T> class Lent {
public:
  template <typename List> explicit Lent(const List &list) : items_(list.items), count_(list.count) {}
  Lent(const T *items, std::size_t count) : items_(items), count_(count) {}
  const T *begin() const noexcept { return items_; }
  const T *end() const noexcept { return items_ + count_; }
  std::size_t size() const noexcept { return count_; }
  bool empty() const noexcept { return count_ == 0; }
  const T &operator[](std::size_t i) const noexcept { return items_[i]; }
  std::vector<T> copy() const { return std::vector<T>(begin(), end()); }

private:
  const T *items_;
  std::size_t count_;
};

/// Lent polygons or chains: valid for as long as the function of hitmask.h says.
class LentPaths {
public:
  explicit LentPaths(const hm_paths &paths) : paths_(paths) {}
  std::size_t size() const noexcept { return paths_.count; }
  Lent<hm_vec2> operator[](std::size_t i) const noexcept {
    const std::uint32_t start = paths_.starts[i];
    return Lent<hm_vec2>(paths_.points + start, paths_.starts[i + 1] - start);
  }

private:
  hm_paths paths_;
};

/// Returns the value that a call writes. Throws an Error unless the call succeeded.
template <typename T, typename Call> T value(Call call) {
  T found{};
  check(call(&found));
  return found;
}

/// Returns the value that a call writes, or none for HM_NONE. Throws an Error if the call was refused.
template <typename T, typename Call> std::optional<T> maybe(Call call) {
  T found{};
  return check(call(&found)) ? std::optional<T>(found) : std::nullopt;
}

/// The owner of a handle. It can be moved, not copied.
template <typename T, hm_status (*Destroy)(T *)> class Handle {
public:
  explicit Handle(T *handle = nullptr) noexcept : handle_(handle) {}
  Handle(Handle &&other) noexcept : handle_(other.release()) {}
  Handle &operator=(Handle &&other) noexcept {
    if (this != &other) {
      Destroy(handle_);
      handle_ = other.release();
    }
    return *this;
  }
  Handle(const Handle &) = delete;
  Handle &operator=(const Handle &) = delete;
  ~Handle() { Destroy(handle_); }
  T *get() const noexcept { return handle_; }
  T *release() noexcept { return std::exchange(handle_, nullptr); }

private:
  T *handle_;
};

/// A mask of 1 bit per pixel.
class Mask : public Handle<hm_mask, hm_mask_destroy> {
public:
  using Handle::Handle;
  static Mask from_text(const char *rows) {
    hm_mask *mask;
    check(hm_mask_from_text(rows, &mask));
    return Mask(mask);
  }
  static Mask from_rgba(std::uint32_t width, std::uint32_t height, const std::uint8_t *rgba,
                        std::size_t count, std::uint8_t alpha = 128) {
    hm_mask *mask;
    check(hm_mask_from_rgba(width, height, rgba, count, alpha, &mask));
    return Mask(mask);
  }
  static Mask from_rgba(std::uint32_t width, std::uint32_t height, const std::uint8_t *rgba,
                        std::size_t count, const hm_texel_rule &rule) {
    hm_mask *mask;
    check(hm_mask_from_rgba_by_rule(width, height, rgba, count, &rule, &mask));
    return Mask(mask);
  }
  /// The pixels inside one polygon, and the position of the top left one.
  static std::pair<Mask, hm_point> from_polygon(const std::vector<hm_vec2> &corners) {
    hm_mask *mask;
    hm_point origin;
    check(hm_mask_from_polygons(corners.data(), corners.size(), nullptr, 1, &mask, &origin));
    return {Mask(mask), origin};
  }
  static Mask disc(std::uint32_t radius) {
    hm_mask *mask;
    check(hm_mask_disc(radius, &mask));
    return Mask(mask);
  }
  /// A mask without solid pixels.
  static Mask empty(std::uint32_t width, std::uint32_t height) {
    return Mask(value<hm_mask *>([&](auto out) { return hm_mask_create(width, height, out); }));
  }
  static Mask solid(std::uint32_t width, std::uint32_t height) {
    return Mask(value<hm_mask *>([&](auto out) { return hm_mask_solid(width, height, out); }));
  }
  Mask copy() const {
    return Mask(value<hm_mask *>([&](auto out) { return hm_mask_clone(get(), out); }));
  }
  hm_size size() const {
    return value<hm_size>([&](auto out) { return hm_mask_size(get(), out); });
  }
  /// The tight box of the solid pixels.
  std::optional<hm_rect> bounds() const {
    return maybe<hm_rect>([&](auto out) { return hm_mask_bounds(get(), out); });
  }
  bool at(std::int32_t x, std::int32_t y) const {
    return value<bool>([&](auto out) { return hm_mask_get(get(), x, y, out); });
  }
  void set(std::int32_t x, std::int32_t y, bool solid = true) {
    check(hm_mask_set(get(), x, y, solid));
  }
  void fill() { check(hm_mask_fill(get())); }
  void clear() { check(hm_mask_clear(get())); }
  void invert() { check(hm_mask_invert(get())); }
  void fill_rect(hm_rect rect, bool solid = true) { check(hm_mask_fill_rect(get(), rect, solid)); }
  /// Draws, erases, toggles or intersects with another mask, whose top left pixel goes to `at`.
  void blit(const Mask &other, hm_point at, hm_blit operation = HM_BLIT_DRAW) {
    check(hm_mask_blit(get(), other.get(), at, operation));
  }
  /// A copy that is larger by `radius` pixels on all sides.
  Mask grown(std::uint32_t radius, hm_grow_shape shape = HM_GROW_DISC) const {
    return Mask(value<hm_mask *>([&](auto out) { return hm_mask_grown(get(), radius, shape, out); }));
  }
  Mask shrunk(std::uint32_t radius, hm_grow_shape shape = HM_GROW_DISC) const {
    return Mask(value<hm_mask *>([&](auto out) { return hm_mask_shrunk(get(), radius, shape, out); }));
  }
  std::uint64_t count() const {
    std::uint64_t count;
    check(hm_mask_count(get(), &count));
    return count;
  }
  /// The connected parts, lent until the next call.
  Lent<hm_component> components(hm_connectivity connectivity = HM_CONNECT_8) {
    hm_components found;
    check(hm_mask_components(get(), connectivity, &found));
    return Lent<hm_component>(found);
  }
  bool touches(const Mask &other, hm_point at) const {
    bool touches;
    check(hm_mask_touches(get(), other.get(), at, &touches));
    return touches;
  }
  /// Area, box and first pixel of an overlap, if there is one.
  std::optional<hm_contact> contact(const Mask &other, hm_point at) const {
    return maybe<hm_contact>([&](auto out) { return hm_mask_contact(get(), other.get(), at, out); });
  }
};

/// The outlines of a mask for a physics engine.
class Shape : public Handle<hm_shape, hm_shape_destroy> {
public:
  using Handle::Handle;
  explicit Shape(const Mask &mask, const hm_shape_options &options = hm_default_shape_options())
      : Handle(value<hm_shape *>([&](auto out) { return hm_mask_shape(mask.get(), &options, out); })) {}
  hm_mass mass() const {
    return value<hm_mass>([&](auto out) { return hm_shape_mass(get(), out); });
  }
  /// Outer borders, each before its holes, lent until the next call. `borders` gets the border of each.
  LentPaths rings(hm_numbers *borders = nullptr) {
    return LentPaths(value<hm_paths>([&](auto out) { return hm_shape_rings(get(), out, borders); }));
  }
  /// Convex pieces, lent until the next call. `thin` gets what was left out.
  LentPaths pieces(hm_thin_pieces *thin = nullptr) {
    return LentPaths(value<hm_paths>([&](auto out) { return hm_shape_pieces(get(), out, thin); }));
  }
};

/// The shapes of a large mask in cells, for terrain that changes. Lists are lent until the next call of
/// the same method. An id from count() on has no rings, pieces or chains.
class ShapeGrid : public Handle<hm_shape_grid, hm_shape_grid_destroy> {
public:
  using Handle::Handle;
  explicit ShapeGrid(const Mask &mask, std::uint32_t side = 64,
                     const hm_shape_options &options = hm_default_shape_options())
      : Handle(value<hm_shape_grid *>(
            [&](auto out) { return hm_shape_grid_create(mask.get(), side, &options, out); })) {}
  /// The ids of the cells that are different after an edit within `rect`.
  Lent<std::uint32_t> update(const Mask &mask, hm_rect rect) {
    return Lent<std::uint32_t>(value<hm_numbers>(
        [&](auto out) { return hm_shape_grid_update(get(), mask.get(), rect, out); }));
  }
  std::uint32_t count() const {
    return value<std::uint32_t>([&](auto out) { return hm_shape_grid_count(get(), out); });
  }
  std::optional<hm_shape_cell> cell(std::uint32_t id) const {
    return maybe<hm_shape_cell>([&](auto out) { return hm_shape_grid_cell(get(), id, out); });
  }
  LentPaths rings(std::uint32_t id, hm_numbers *borders = nullptr) {
    return LentPaths(
        value<hm_paths>([&](auto out) { return hm_shape_grid_rings(get(), id, out, borders); }));
  }
  LentPaths pieces(std::uint32_t id, hm_thin_pieces *thin = nullptr) {
    return LentPaths(
        value<hm_paths>([&](auto out) { return hm_shape_grid_pieces(get(), id, out, thin); }));
  }
  LentPaths chains(std::uint32_t id, hm_bytes *closed = nullptr) {
    return LentPaths(
        value<hm_paths>([&](auto out) { return hm_shape_grid_chains(get(), id, out, closed); }));
  }
};

/// The masks of all sprites.
class Atlas : public Handle<hm_atlas, hm_atlas_destroy> {
public:
  using Handle::Handle;
  static Atlas open(const char *path) {
    hm_atlas *atlas;
    check(hm_atlas_open(path, nullptr, &atlas));
    return Atlas(atlas);
  }
  static Atlas from_bytes(const std::uint8_t *bytes, std::size_t count) {
    hm_atlas *atlas;
    check(hm_atlas_from_bytes(bytes, count, nullptr, &atlas));
    return Atlas(atlas);
  }
  hm_atlas_id id() const {
    hm_atlas_id id;
    check(hm_atlas_get_id(get(), &id));
    return id;
  }
  /// The same atlas under another id, for a world of several atlases.
  Atlas labelled(std::uint32_t label) const {
    hm_atlas *atlas;
    check(hm_atlas_labelled(get(), label, &atlas));
    return Atlas(atlas);
  }
  std::optional<std::uint32_t> plane_for_threshold(hm_sprite_id sprite, std::uint8_t alpha) const {
    std::uint32_t plane;
    const hm_status status = hm_atlas_plane_for_threshold(get(), sprite, alpha, &plane);
    return check(status) ? std::optional(plane) : std::nullopt;
  }
  /// The stored pose that is nearest to an angle and a scale, for a Batch.
  hm_pose_id pose(hm_sprite_id sprite, float angle = 0, float scale = 1, std::uint32_t frame = 0,
                  std::uint32_t plane = 0) const {
    hm_pose_id pose;
    check(hm_atlas_pose(get(), sprite, frame, plane, angle, scale, 0, 0, &pose, nullptr));
    return pose;
  }
  std::optional<hm_sprite_id> find(const char *name) const {
    hm_sprite_id sprite;
    return check(hm_atlas_sprite(get(), name, &sprite)) ? std::optional(sprite) : std::nullopt;
  }
  /// The sprite with this name, or an exception.
  hm_sprite_id sprite(const char *name) const {
    const auto sprite = find(name);
    if (sprite) return *sprite;
    const char *other = nullptr;
    std::string message = std::string("the atlas has no sprite \"") + name + "\"";
    if (hm_atlas_alike(get(), 0, name, &other) == HM_OK)
      message += std::string("; did you mean \"") + other + "\"?";
    throw std::out_of_range(message);
  }
  /// The shape of a frame about its pivot, for a physics engine.
  Shape shape(hm_sprite_id sprite, const hm_shape_options &options = hm_default_shape_options(),
              std::uint32_t frame = 0, std::uint32_t plane = 0) const {
    return Shape(value<hm_shape *>(
        [&](auto out) { return hm_atlas_shape(get(), sprite, frame, plane, &options, out); }));
  }
};

/// Bakes an atlas in memory.
class Baker : public Handle<hm_baker, hm_baker_destroy> {
public:
  Baker() : Handle(create()) {}
  Baker &settings(const hm_bake_settings &settings) {
    check(hm_baker_set_settings(get(), &settings));
    return *this;
  }
  Baker &mask(const char *name, const Mask &mask) {
    const hm_mask *frames[] = {mask.get()};
    check(hm_baker_add_masks(get(), name, frames, 1, nullptr));
    return *this;
  }
  /// `masks` holds those of the first frame in the order of `planes`, then those of the next.
  Baker &planes(const char *name, const std::vector<const char *> &planes,
                const std::vector<const hm_mask *> &masks) {
    if (planes.empty() || masks.size() % planes.size() != 0) {
      throw std::invalid_argument("each frame needs one mask for each plane");
    }
    check(hm_baker_add_planes(get(), name, planes.data(), planes.size(), masks.data(),
                              masks.size() / planes.size(), nullptr));
    return *this;
  }
  Baker &rgba(const char *name, std::uint32_t width, std::uint32_t height,
              const std::uint8_t *rgba, std::size_t count, std::uint32_t frames = 1) {
    check(hm_baker_add_rgba(get(), name, width, height, frames, rgba, count, nullptr));
    return *this;
  }
  /// The bytes of the atlas, lent until the next call.
  Lent<std::uint8_t> bake() const {
    hm_bytes bytes;
    check(hm_baker_bake(get(), &bytes));
    return Lent<std::uint8_t>(bytes);
  }
  Atlas atlas() const {
    hm_atlas *atlas;
    check(hm_baker_bake_atlas(get(), &atlas));
    return Atlas(atlas);
  }

private:
  static hm_baker *create() {
    hm_baker *baker;
    check(hm_baker_create(&baker));
    return baker;
  }
};

/// Questions about many pairs of poses of one atlas.
class Batch : public Handle<hm_batch, hm_batch_destroy> {
public:
  using Handle::Handle;
  explicit Batch(const Atlas &atlas) : Handle(create(atlas)) {}
  /// One byte for each pair, lent until the next call.
  Lent<std::uint8_t> touches(const std::vector<hm_pose_pair> &pairs) {
    hm_bytes answers;
    check(hm_batch_touches(get(), pairs.data(), pairs.size(), &answers));
    return Lent<std::uint8_t>(answers);
  }
  Lent<hm_contact> contacts(const std::vector<hm_pose_pair> &pairs) {
    hm_contacts answers;
    check(hm_batch_contact(get(), pairs.data(), pairs.size(), &answers));
    return Lent<hm_contact>(answers);
  }

private:
  static hm_batch *create(const Atlas &atlas) {
    hm_batch *batch;
    check(hm_batch_create(atlas.get(), &batch));
    return batch;
  }
};

/// A part of a map, as hm_map_item: a chunk of tiles, an object or a point, whose collider is 0.
struct MapItem {
  hm_collider_id collider;
  std::string id, name, class_name;
  hm_vec2 position, size;
  std::map<std::string, std::string> properties;
};

/// Copies lent items of a map.
inline std::vector<MapItem> copies(const hm_map_items &list) {
  std::vector<MapItem> items;
  items.reserve(list.count);
  for (const hm_map_item &item : Lent<hm_map_item>(list)) {
    MapItem copy{item.collider, item.id, item.name, item.class_name, item.position, item.size, {}};
    for (const hm_property &pair : Lent<hm_property>(item.properties))
      copy.properties[pair.key] = pair.value;
    items.push_back(std::move(copy));
  }
  return items;
}

/// A map in a world, with its items as they were placed. World::update_map() brings it up to date. Its end leaves the
/// colliders.
class PlacedMap : public Handle<hm_placed_map, hm_placed_map_destroy> {
public:
  using Handle::Handle;
  std::vector<MapItem> items;
};

/// What World::update_map() has done, as hm_map_report. The numbers are indices of PlacedMap::items.
struct MapReport {
  std::vector<std::uint32_t> inserted;
  std::vector<MapItem> removed;
  std::vector<std::uint32_t> changed, kept;
};

/// Colliders, and the pairs of them that touch.
class World : public Handle<hm_world, hm_world_destroy> {
public:
  using Handle::Handle;
  explicit World(const Atlas &atlas) : Handle(create(atlas)) {}
  hm_atlas_id add_atlas(const Atlas &atlas) {
    hm_atlas_id id;
    check(hm_world_add_atlas(get(), atlas.get(), &id));
    return id;
  }
  void drop_atlas(hm_atlas_id atlas) { check(hm_world_drop_atlas(get(), atlas)); }
  hm_reload_report replace_atlas(hm_atlas_id old, const Atlas &atlas) {
    hm_reload_report report;
    check(hm_world_replace_atlas(get(), old, atlas.get(), &report));
    return report;
  }
  Lent<hm_atlas_id> atlases() {
    hm_atlas_ids ids;
    check(hm_world_atlases(get(), &ids));
    return Lent<hm_atlas_id>(ids);
  }
  hm_collider_id insert(const hm_collider &collider) {
    hm_collider_id id;
    check(hm_world_insert(get(), &collider, &id));
    return id;
  }
  /// Inserts all colliders or none. Their ids are lent until the next call that lends ids.
  Lent<hm_collider_id> insert_all(const std::vector<hm_collider> &colliders) {
    return found([&](auto out) {
      return hm_world_insert_all(get(), colliders.data(), colliders.size(), out);
    });
  }
  /// Draws poses before colliders show them, within a time and a size. Returns how many from `first` on are drawn:
  /// add them to `first` and call it again in the next frame, until that is the size of the list.
  std::size_t draw_ahead(const std::vector<hm_collider> &colliders, std::size_t first = 0,
                         std::uint64_t max_microseconds = UINT64_MAX,
                         std::uint64_t max_bytes = UINT64_MAX) {
    if (first > colliders.size()) first = colliders.size();
    return value<std::size_t>([&](auto out) {
      return hm_world_draw_ahead(get(), colliders.data() + first, colliders.size() - first,
                                 max_microseconds, max_bytes, out);
    });
  }
  /// Adds the colliders of a map, fixed, with its top-left corner at `at`. To take it out again, pass its items to
  /// `remove_all`.
  PlacedMap insert_map(const char *name, hm_vec2 at = hm_vec2{0, 0}) {
    hm_placed_map *placed = nullptr;
    const auto map =
        value<hm_map>([&](auto out) { return hm_world_insert_map(get(), name, at, out, &placed); });
    PlacedMap owned{placed};
    owned.items = copies(map.items);
    return owned;
  }
  /// Brings a map up to date with the atlas, as a rule after replace_atlas(): after an edit of the level. Colliders of
  /// items that are in both versions stay, and so does what the game has changed itself.
  MapReport update_map(PlacedMap &map) {
    const auto report = value<hm_map_report>(
        [&](auto out) { return hm_world_update_map(get(), map.get(), out); });
    map.items = copies(report.map.items);
    return MapReport{Lent<std::uint32_t>{report.inserted}.copy(), copies(report.removed),
                     Lent<std::uint32_t>{report.changed}.copy(), Lent<std::uint32_t>{report.kept}.copy()};
  }
  void set(hm_collider_id id, const hm_collider &collider) {
    check(hm_world_set(get(), id, &collider));
  }
  hm_collider at(hm_collider_id id) const {
    hm_collider collider;
    check(hm_world_get(get(), id, &collider));
    return collider;
  }
  void remove(hm_collider_id id) { check(hm_world_remove(get(), id)); }
  /// Removes the colliders of a map. Returns how many there were.
  std::size_t remove_all(const std::vector<MapItem> &items) {
    std::vector<hm_collider_id> ids;
    for (const MapItem &item : items)
      ids.push_back(item.collider);
    return value<std::size_t>([&](auto out) { return hm_world_remove_all(get(), ids.data(), ids.size(), out); });
  }
  void move_to(hm_collider_id id, hm_vec2 to) { check(hm_world_move_to(get(), id, to.x, to.y)); }
  void turn_to(hm_collider_id id, float angle) { check(hm_world_turn_to(get(), id, angle)); }
  void place(hm_collider_id id, hm_vec2 to, float angle, float scale) {
    check(hm_world_place(get(), id, to.x, to.y, angle, scale));
  }
  void place(const hm_collider_id *ids, const hm_placement *placements, std::size_t count) {
    check(hm_world_set_placements(get(), ids, placements, count));
  }
  void place(const hm_collider_id *ids, const hm_placement_turn *placements, std::size_t count) {
    check(hm_world_set_placements_turn(get(), ids, placements, count));
  }
  /// The positions and angles of colliders, lent until the next call.
  Lent<hm_placement> placements(const hm_collider_id *ids, std::size_t count) {
    return Lent<hm_placement>(value<hm_placements>(
        [&](auto out) { return hm_world_placements(get(), ids, count, out); }));
  }
  void update() { check(hm_world_update(get())); }
  Lent<hm_pair> touching() const { return pairs(hm_world_touching); }
  Lent<hm_pair> began() const { return pairs(hm_world_began); }
  Lent<hm_pair> ended() const { return pairs(hm_world_ended); }
  std::optional<hm_contact> contact(hm_pair pair) const {
    hm_contact contact;
    return check(hm_world_contact(get(), pair, &contact)) ? std::optional(contact) : std::nullopt;
  }
  std::optional<hm_overlap> overlap(hm_pair pair) const {
    return maybe<hm_overlap>([&](auto out) { return hm_world_overlap(get(), pair, out); });
  }
  /// Why two colliders touch or not, in words. Nothing if one has been removed.
  std::optional<std::string> explain(hm_pair pair) {
    const auto text = maybe<hm_text>([&](auto out) { return hm_world_explain(get(), pair, out); });
    return text ? std::optional<std::string>(text->items) : std::nullopt;
  }
  /// The colliders that touch a collider at the present places, lent until the next call that lends ids.
  Lent<hm_collider_id> touching_with(hm_collider_id id) {
    return found([&](auto out) { return hm_world_touching_with(get(), id, out); });
  }
  /// A number of the game, such as an index or a pointer.
  void set_user_data(hm_collider_id id, std::uint64_t data) {
    check(hm_world_set_user_data(get(), id, data));
  }
  std::uint64_t user_data(hm_collider_id id) const {
    return value<std::uint64_t>([&](auto out) { return hm_world_user_data(get(), id, out); });
  }

  // Queries at the present places. Lists are lent until the next call that lends ids.
  /// The collider under a pointer, or the nearest one within `radius` pixels.
  std::optional<hm_collider_id> pick(hm_vec2 at, float radius = 0, hm_pick_order order = HM_PICK_BY_SLOT,
                                     const hm_filter *filter = nullptr) const {
    return maybe<hm_collider_id>(
        [&](auto out) { return hm_world_pick(get(), at.x, at.y, radius, order, filter, out); });
  }
  std::optional<hm_nearest> nearest(hm_vec2 at, float within, const hm_filter *filter = nullptr) const {
    return maybe<hm_nearest>(
        [&](auto out) { return hm_world_nearest(get(), at.x, at.y, within, filter, out); });
  }
  Lent<hm_collider_id> query_point(hm_vec2 at, const hm_filter *filter = nullptr) {
    return found([&](auto out) { return hm_world_query_point(get(), at.x, at.y, filter, out); });
  }
  /// `rect` is in mask pixels.
  Lent<hm_collider_id> query_rect(hm_rect rect, const hm_filter *filter = nullptr) {
    return found([&](auto out) { return hm_world_query_rect(get(), rect, filter, out); });
  }
  Lent<hm_collider_id> query_circle(hm_vec2 center, float radius,
                                    const hm_filter *filter = nullptr) {
    return found(
        [&](auto out) { return hm_world_query_circle(get(), center.x, center.y, radius, filter, out); });
  }
  Lent<hm_collider_id> query_line(hm_vec2 from, hm_vec2 to, const hm_filter *filter = nullptr) {
    return found([&](auto out) { return hm_world_query_line(get(), from, to, filter, out); });
  }
  /// The top left pixel of the mask is at `at`, in mask pixels.
  Lent<hm_collider_id> query_mask(const Mask &mask, hm_point at, const hm_filter *filter = nullptr) {
    return found([&](auto out) { return hm_world_query_mask(get(), mask.get(), at, filter, out); });
  }
  std::optional<hm_line_hit> ray(hm_vec2 from, hm_vec2 to,
                                 const hm_filter *filter = nullptr) const {
    return maybe<hm_line_hit>([&](auto out) { return hm_world_ray(get(), from, to, filter, out); });
  }
  /// All colliders on a ray, in order of the way, lent until the next call.
  Lent<hm_line_hit> ray_all(hm_vec2 from, hm_vec2 to, const hm_filter *filter = nullptr) {
    return Lent<hm_line_hit>(
        value<hm_line_hits>([&](auto out) { return hm_world_ray_all(get(), from, to, filter, out); }));
  }
  // The same for many at once. The collider of an answer is 0 for none.
  /// Ray i runs from `ends[2 * i]` to `ends[2 * i + 1]`.
  Lent<hm_line_hit> rays(const std::vector<hm_vec2> &ends, const hm_filter *filter = nullptr) {
    return Lent<hm_line_hit>(value<hm_line_hits>([&](auto out) {
      return hm_world_rays(get(), ends.data(), ends.size() / 2, filter, out);
    }));
  }
  Lent<hm_collider_id> picks(const std::vector<hm_vec2> &points, float radius = 0,
                             hm_pick_order order = HM_PICK_BY_SLOT,
                             const hm_filter *filter = nullptr) {
    return found([&](auto out) {
      return hm_world_picks(get(), points.data(), points.size(), radius, order, filter, out);
    });
  }
  Lent<hm_hit> casts(const hm_collider_id *ids, const hm_vec2 *motions, std::size_t count) {
    return Lent<hm_hit>(value<hm_hits>(
        [&](auto out) { return hm_world_casts(get(), ids, motions, count, out); }));
  }

  // Masks that are made at run time, such as terrain that can be destroyed. Colliders show them with
  // hm_collider.mask.
  hm_mask_id insert_mask(const Mask &mask, const hm_pivot *pivot = nullptr) {
    return value<hm_mask_id>(
        [&](auto out) { return hm_world_insert_mask(get(), mask.get(), pivot, out); });
  }
  void fill_rect(hm_mask_id mask, hm_rect rect, bool solid = true) {
    check(hm_world_fill_rect(get(), mask, rect, solid));
  }
  /// `solid` is false for a crater.
  void fill_disc(hm_mask_id mask, hm_point center, std::uint32_t radius, bool solid = true) {
    check(hm_world_fill_disc(get(), mask, center, radius, solid));
  }
  void blit(hm_mask_id mask, const Mask &other, hm_point at, hm_blit operation = HM_BLIT_DRAW) {
    check(hm_world_blit(get(), mask, other.get(), at, operation));
  }
  Mask copy_mask(hm_mask_id mask) const {
    return Mask(value<hm_mask *>([&](auto out) { return hm_world_copy_mask(get(), mask, out); }));
  }
  void remove_mask(hm_mask_id mask) { check(hm_world_remove_mask(get(), mask)); }
  Shape mask_shape(hm_mask_id mask,
                   const hm_shape_options &options = hm_default_shape_options()) const {
    return Shape(value<hm_shape *>(
        [&](auto out) { return hm_world_mask_shape(get(), mask, &options, out); }));
  }
  ShapeGrid shape_grid(hm_mask_id mask, std::uint32_t side = 64,
                       const hm_shape_options &options = hm_default_shape_options()) const {
    return ShapeGrid(value<hm_shape_grid *>(
        [&](auto out) { return hm_world_shape_grid(get(), mask, side, &options, out); }));
  }
  /// The ids of the cells that are different after an edit of the mask within `rect`.
  Lent<std::uint32_t> update(ShapeGrid &grid, hm_mask_id mask, hm_rect rect) const {
    return Lent<std::uint32_t>(value<hm_numbers>([&](auto out) {
      return hm_world_update_shape_grid(get(), mask, grid.get(), rect, out);
    }));
  }

  std::optional<hm_hit> cast(hm_collider_id id, hm_vec2 motion) const {
    return maybe<hm_hit>(
        [&](auto out) { return hm_world_cast(get(), id, motion, nullptr, nullptr, out); });
  }
  /// All colliders on the way of a motion, lent until the next call.
  Lent<hm_hit> cast_all(hm_collider_id id, hm_vec2 motion) {
    return Lent<hm_hit>(value<hm_hits>(
        [&](auto out) { return hm_world_cast_all(get(), id, motion, nullptr, nullptr, out); }));
  }
  /// Moves up to the first obstacle. Returns the hit that ended the motion, if there is one.
  std::optional<hm_hit> move_until_contact(hm_collider_id id, hm_vec2 motion) {
    return maybe<hm_hit>(
        [&](auto out) { return hm_world_move_until_contact(get(), id, motion, out); });
  }
  hm_move_result move_and_slide(hm_collider_id id, hm_vec2 motion, const hm_move_rules *rules = nullptr) {
    hm_move_result result;
    check(hm_world_move_by_rules(get(), id, motion, rules, nullptr, nullptr, &result));
    return result;
  }
  /// Moves many colliders, one after another, as move_and_slide() does. The lists are lent until the next
  /// move.
  hm_moves move_all(const hm_collider_id *ids, const hm_vec2 *motions, std::size_t count,
                    const hm_move_rules *rules = nullptr) {
    hm_moves moves;
    check(hm_world_move_all(get(), ids, motions, count, rules, &moves));
    return moves;
  }
  Lent<std::uint8_t> snapshot() {
    hm_bytes bytes;
    check(hm_world_snapshot(get(), &bytes));
    return Lent<std::uint8_t>(bytes);
  }
  void restore(const std::uint8_t *bytes, std::size_t count) {
    check(hm_world_restore(get(), bytes, count));
  }
  std::uint64_t state_hash() const {
    std::uint64_t hash;
    check(hm_world_state_hash(get(), &hash));
    return hash;
  }
  /// A copy with the same ids. A game saves to it, and loads from it, by assign().
  World copy() const {
    return World(value<hm_world *>([&](auto out) { return hm_world_clone(get(), out); }));
  }
  /// Takes over the state of another world with the same atlases.
  void assign(const World &source) { check(hm_world_assign(get(), source.get())); }
  /// What differs first, the value of this world first. Nothing if the states are equal.
  std::optional<std::string> first_difference(const World &other) {
    const auto text =
        maybe<hm_text>([&](auto out) { return hm_world_first_difference(get(), other.get(), out); });
    return text ? std::optional<std::string>(text->items) : std::nullopt;
  }

private:
  static hm_world *create(const Atlas &atlas) {
    hm_world *world;
    check(hm_world_create(atlas.get(), &world));
    return world;
  }
  template <typename Call> Lent<hm_collider_id> found(Call call) {
    return Lent<hm_collider_id>(value<hm_colliders>(call));
  }
  Lent<hm_pair> pairs(hm_status (*list)(const hm_world *, hm_pairs *)) const {
    hm_pairs pairs;
    check(list(get(), &pairs));
    return Lent<hm_pair>(pairs);
  }
};

} // namespace hitmask

#endif
