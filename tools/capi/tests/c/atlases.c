/* Atlases: what a bake with settings holds, by sprite, frame and plane. */
#include "check.h"

static hm_mask *drawn(const char *rows) {
  hm_mask *mask;
  EXPECT(HM_OK, hm_mask_from_text(rows, &mask));
  return mask;
}

/* Its two bodies share poses: 3 masks of the knight at 3 scales and the crate, each as it is and mirrored. */
enum { POSES = 2 * (3 * 3 + 1) };

/* Returns a baker with a crate of one frame and a knight of two frames with two planes each, of 4 x 3 px. */
static hm_baker *a_baker(void) {
  static const char *const planes[] = {"body", "sword"};
  static const float scales[] = {2, 0.5f, 1};
  hm_baker *baker;
  hm_bake_settings settings = hm_default_bake_settings(), own = hm_default_bake_settings();
  hm_mask *masks[4] = {drawn("##..\n##..\n##.."), drawn("..##\n....\n...."), drawn("##..\n##..\n##.."),
                       drawn("....\n....\n..##")};
  hm_mask *crate = drawn("#####\n#...#");
  const hm_mask *frames[4];
  int i;
  for (i = 0; i < 4; i++) frames[i] = masks[i];
  EXPECT(HM_OK, hm_baker_create(&baker));
  settings.scales = scales;
  settings.scale_count = 3;
  settings.angles = 1;
  settings.use_pivot = 1;
  settings.pivot = (hm_pivot){3, 5};
  EXPECT(HM_OK, hm_baker_set_settings(baker, &settings));
  EXPECT(HM_OK, hm_baker_set_resolution(baker, 2));
  EXPECT(HM_OK, hm_baker_add_planes(baker, "knight", planes, 2, frames, 2, NULL));
  own.angles = 1;
  frames[0] = crate;
  EXPECT(HM_OK, hm_baker_add_masks(baker, "crate", frames, 1, &own));
  settings.cookie = 0;
  EXPECT(HM_UNINITIALISED, hm_baker_set_settings(baker, &settings));
  EXPECT(HM_OK, hm_mask_destroy(crate));
  for (i = 0; i < 4; i++) EXPECT(HM_OK, hm_mask_destroy(masks[i]));
  return baker;
}

static void sprites(void) {
  hm_baker *baker = a_baker();
  hm_atlas *atlas;
  hm_sprite_id crate, knight, sprite;
  hm_floats scales;
  hm_size size;
  hm_point pivot;
  const char *name;
  float resolution;
  uint32_t count;
  EXPECT(HM_OK, hm_baker_bake_atlas(baker, &atlas));
  EXPECT(HM_OK, hm_atlas_sprite_count(atlas, &count));
  TRUE(count == 2);
  EXPECT(HM_OK, hm_atlas_sprite(atlas, "crate", &crate));
  EXPECT(HM_OK, hm_atlas_sprite(atlas, "knight", &knight));
  EXPECT(HM_OK, hm_atlas_sprite_at(atlas, 0, &sprite));
  TRUE(sprite == crate);
  EXPECT(HM_OK, hm_atlas_sprite_at(atlas, 1, &sprite));
  TRUE(sprite == knight);
  EXPECT(HM_NONE, hm_atlas_sprite_at(atlas, 2, &sprite));
  EXPECT(HM_OK, hm_atlas_resolution(atlas, &resolution));
  TRUE(resolution == 2);
  EXPECT(HM_OK, hm_atlas_pose_count(atlas, &count));
  TRUE(count == POSES);
  EXPECT(HM_OK, hm_atlas_scales(atlas, knight, &scales));
  TRUE(scales.count == 3 && scales.items[0] == 0.5f && scales.items[1] == 1 && scales.items[2] == 2);
  EXPECT(HM_OK, hm_atlas_frame_size(atlas, knight, 1, &size));
  TRUE(size.width == 4 && size.height == 3);
  EXPECT(HM_OK, hm_atlas_frame_size(atlas, crate, 0, &size));
  TRUE(size.width == 5 && size.height == 2);
  EXPECT(HM_UNKNOWN_SPRITE, hm_atlas_frame_size(atlas, crate, 1, &size));
  EXPECT(HM_OK, hm_atlas_pivot(atlas, knight, 1, &pivot));
  TRUE(pivot.x == 3 && pivot.y == 5);
  EXPECT(HM_OK, hm_atlas_pivot(atlas, crate, 0, &pivot));
  TRUE(pivot.x == 5 && pivot.y == 2);
  EXPECT(HM_UNKNOWN_SPRITE, hm_atlas_pivot(atlas, crate, 1, &pivot));
  EXPECT(HM_OK, hm_atlas_plane_name(atlas, knight, 0, &name));
  TRUE(strcmp(name, "body") == 0);
  EXPECT(HM_OK, hm_atlas_plane_name(atlas, knight, 1, &name));
  TRUE(strcmp(name, "sword") == 0);
  EXPECT(HM_NONE, hm_atlas_plane_name(atlas, knight, 2, &name));
  EXPECT(HM_NONE, hm_atlas_plane_name(atlas, crate, 1, &name));
  EXPECT(HM_UNKNOWN_SPRITE, hm_atlas_plane_name(atlas, 99, 1, &name));
  EXPECT(HM_OK, hm_atlas_destroy(atlas));
  EXPECT(HM_OK, hm_baker_destroy(baker));
}

/* An atlas that is a part of the program is read in place. A compact one holds no poses, and its limits hold for
 * those that are drawn later. */
static void of_static_bytes(void) {
  static uint8_t memory[1 << 16];
  uint8_t *start = memory + (64 - (uintptr_t)memory % 64) % 64;
  hm_baker *baker = a_baker();
  hm_atlas_limits limits = hm_default_atlas_limits();
  hm_atlas *atlas, *drawn_atlas;
  hm_bytes bytes;
  size_t size;
  bool is_drawn;
  uint32_t count;
  EXPECT(HM_OK, hm_baker_bake(baker, &bytes));
  size = bytes.count;
  TRUE(size < sizeof memory - 64);
  memcpy(start, bytes.items, size);
  EXPECT(HM_DAMAGED, hm_atlas_from_static(start, size - 1, NULL, &atlas));
  EXPECT(HM_OK, hm_atlas_from_static(start, size, NULL, &atlas));
  EXPECT(HM_OK, hm_atlas_verify(atlas));
  EXPECT(HM_OK, hm_atlas_bytes(atlas, &bytes));
  TRUE(bytes.items == start && bytes.count == size);
  EXPECT(HM_OK, hm_atlas_destroy(atlas));

  EXPECT(HM_OK, hm_baker_set_compact(baker, 1));
  EXPECT(HM_OK, hm_baker_bake(baker, &bytes));
  TRUE(bytes.count < size);
  limits.max_poses = POSES - 1;
  memcpy(start, bytes.items, bytes.count);
  EXPECT(HM_OK, hm_atlas_from_static(start, bytes.count, &limits, &atlas));
  EXPECT(HM_OK, hm_atlas_is_drawn(atlas, &is_drawn));
  EXPECT(HM_OK, hm_atlas_pose_count(atlas, &count));
  TRUE(!is_drawn && count == 0);
  EXPECT(HM_OVER_LIMIT, hm_atlas_drawn(atlas, &drawn_atlas));
  EXPECT(HM_OK, hm_atlas_destroy(atlas));
  EXPECT(HM_OK, hm_atlas_from_static(start, bytes.count, NULL, &atlas));
  EXPECT(HM_OK, hm_atlas_drawn(atlas, &drawn_atlas));
  EXPECT(HM_OK, hm_atlas_pose_count(drawn_atlas, &count));
  TRUE(count == POSES);
  EXPECT(HM_OK, hm_atlas_destroy(drawn_atlas));
  EXPECT(HM_OK, hm_atlas_destroy(atlas));
  EXPECT(HM_OK, hm_baker_destroy(baker));
}

int main(void) {
  sprites();
  of_static_bytes();
  printf("%d checks\n", checks);
  return 0;
}
