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
  static Mask disc(std::uint32_t radius) {
    hm_mask *mask;
    check(hm_mask_disc(radius, &mask));
    return Mask(mask);
  }
  bool touches(const Mask &other, hm_point at) const {
    bool touches;
    check(hm_mask_touches(get(), other.get(), at, &touches));
    return touches;
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
  std::optional<hm_sprite_id> find(const char *name) const {
    hm_sprite_id sprite;
    return check(hm_atlas_sprite(get(), name, &sprite)) ? std::optional(sprite) : std::nullopt;
  }
  /// The sprite with this name, or an exception.
  hm_sprite_id sprite(const char *name) const {
    const auto sprite = find(name);
    if (!sprite) throw std::out_of_range(std::string("the atlas has no sprite ") + name);
    return *sprite;
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

/// Colliders, and the pairs of them that touch.
class World : public Handle<hm_world, hm_world_destroy> {
public:
  using Handle::Handle;
  explicit World(const Atlas &atlas) : Handle(create(atlas)) {}
  hm_collider_id insert(const hm_collider &collider) {
    hm_collider_id id;
    check(hm_world_insert(get(), &collider, &id));
    return id;
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
  void move_to(hm_collider_id id, hm_vec2 to) { check(hm_world_move_to(get(), id, to.x, to.y)); }
  void place(const hm_collider_id *ids, const hm_placement *placements, std::size_t count) {
    check(hm_world_set_placements(get(), ids, placements, count));
  }
  void place(const hm_collider_id *ids, const hm_placement_turn *placements, std::size_t count) {
    check(hm_world_set_placements_turn(get(), ids, placements, count));
  }
  void update() { check(hm_world_update(get())); }
  Lent<hm_pair> touching() const { return pairs(hm_world_touching); }
  Lent<hm_pair> began() const { return pairs(hm_world_began); }
  Lent<hm_pair> ended() const { return pairs(hm_world_ended); }
  std::optional<hm_contact> contact(hm_pair pair) const {
    hm_contact contact;
    return check(hm_world_contact(get(), pair, &contact)) ? std::optional(contact) : std::nullopt;
  }
  Lent<hm_collider_id> query_circle(hm_vec2 center, float radius,
                                    const hm_filter *filter = nullptr) {
    hm_colliders found;
    check(hm_world_query_circle(get(), center.x, center.y, radius, filter, &found));
    return Lent<hm_collider_id>(found);
  }
  std::optional<hm_line_hit> ray(hm_vec2 from, hm_vec2 to,
                                 const hm_filter *filter = nullptr) const {
    hm_line_hit hit;
    return check(hm_world_ray(get(), from, to, filter, &hit)) ? std::optional(hit) : std::nullopt;
  }
  std::optional<hm_hit> cast(hm_collider_id id, hm_vec2 motion) const {
    hm_hit hit;
    const hm_status status = hm_world_cast(get(), id, motion, nullptr, nullptr, &hit);
    return check(status) ? std::optional(hit) : std::nullopt;
  }
  hm_move_result move_and_slide(hm_collider_id id, hm_vec2 motion) {
    hm_move_result result;
    check(hm_world_move_and_slide(get(), id, motion, &result));
    return result;
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

private:
  static hm_world *create(const Atlas &atlas) {
    hm_world *world;
    check(hm_world_create(atlas.get(), &world));
    return world;
  }
  Lent<hm_pair> pairs(hm_status (*list)(const hm_world *, hm_pairs *)) const {
    hm_pairs pairs;
    check(list(get(), &pairs));
    return Lent<hm_pair>(pairs);
  }
};

} // namespace hitmask

#endif
