/* Masks, and two masks at an offset: each call with the answer that a person finds by counting pixels. */
#include "check.h"
#include <math.h>

/* No flip, no turn and no swap of its sides gives the same mask again. Its 10 pixels have the mean (1.4, 1.9). */
static const char letter_f[] = "####\n#...\n###.\n#...\n#...\n";

static hm_mask *drawn(const char *rows) {
  hm_mask *mask;
  EXPECT(HM_OK, hm_mask_from_text(rows, &mask));
  return mask;
}

static int has_rows(hm_mask *mask, const char *rows) {
  hm_text text;
  EXPECT(HM_OK, hm_mask_text(mask, &text));
  return strcmp(text.items, rows) == 0;
}

/* Whether a new mask has these rows. Destroys it. */
static int was(hm_mask *mask, const char *rows) {
  int is_equal = has_rows(mask, rows);
  EXPECT(HM_OK, hm_mask_destroy(mask));
  return is_equal;
}

static int is_rect(hm_rect rect, int x0, int y0, int x1, int y1) {
  return rect.x0 == x0 && rect.y0 == y0 && rect.x1 == x1 && rect.y1 == y1;
}

static int is_point(hm_point point, int x, int y) { return point.x == x && point.y == y; }

static void bytes(void) {
  static const uint8_t bits_of_f[] = {0xf0, 0x80, 0xe0, 0x80, 0x80}, wide[] = {0xc0, 0x80, 0x00, 0x80};
  static const uint8_t alpha[] = {200, 10, 0, 9, 10, 255}, alpha_of_steps[] = {255, 0, 0, 0, 255, 255};
  hm_mask *mask;
  hm_bytes lent;
  EXPECT(HM_OK, hm_mask_from_bits(4, 5, bits_of_f, 5, &mask));
  TRUE(has_rows(mask, letter_f));
  EXPECT(HM_OK, hm_mask_bits(mask, &lent));
  TRUE(lent.count == 5 && memcmp(lent.items, bits_of_f, 5) == 0);
  EXPECT(HM_OK, hm_mask_destroy(mask));
  EXPECT(HM_OK, hm_mask_from_bits(9, 2, wide, 4, &mask));
  TRUE(was(mask, "##......#\n........#\n"));
  EXPECT(HM_BAD_MASK, hm_mask_from_bits(9, 2, wide, 3, &mask));
  EXPECT(HM_NULL_POINTER, hm_mask_from_bits(9, 2, NULL, 4, &mask));
  EXPECT(HM_OK, hm_mask_from_alpha(3, 2, alpha, 6, 10, &mask));
  TRUE(was(mask, "##.\n.##\n"));
  mask = drawn("#..\n.##");
  EXPECT(HM_OK, hm_mask_alpha(mask, &lent));
  TRUE(lent.count == 6 && memcmp(lent.items, alpha_of_steps, 6) == 0);
  EXPECT(HM_OK, hm_mask_destroy(mask));
}

static void measures(void) {
  static const hm_point around[] = {{1, 1}, {2, 1}, {3, 1}, {3, 2}, {2, 2}, {1, 2}};
  hm_mask *mask = drawn(letter_f), *empty = drawn("...");
  hm_vec2 centroid;
  hm_rect rect;
  hm_points points;
  hm_rects rects;
  EXPECT(HM_OK, hm_mask_centroid(mask, &centroid));
  TRUE(fabsf(centroid.x - 1.4f) < 1e-6f && fabsf(centroid.y - 1.9f) < 1e-6f);
  EXPECT(HM_NONE, hm_mask_centroid(empty, &centroid));
  EXPECT(HM_NONE, hm_mask_bounds(empty, &rect));
  EXPECT(HM_OK, hm_mask_destroy(empty));
  EXPECT(HM_OK, hm_mask_destroy(mask));
  mask = drawn(".....\n..##.\n...#.");
  EXPECT(HM_OK, hm_mask_bounds(mask, &rect));
  TRUE(is_rect(rect, 2, 1, 4, 3));
  EXPECT(HM_OK, hm_mask_destroy(mask));
  mask = drawn("....\n.###\n.###");
  EXPECT(HM_OK, hm_mask_outline(mask, &points));
  TRUE(points.count == 6 && memcmp(points.items, around, sizeof around) == 0);
  EXPECT(HM_OK, hm_mask_destroy(mask));
  mask = drawn("##..\n##..\n...#");
  EXPECT(HM_OK, hm_mask_rects(mask, &rects));
  TRUE(rects.count == 2 && is_rect(rects.items[0], 0, 0, 2, 2) && is_rect(rects.items[1], 3, 2, 4, 3));
  EXPECT(HM_OK, hm_mask_destroy(mask));
}

static void copies(void) {
  hm_mask *mask = drawn(letter_f), *other;
  EXPECT(HM_OK, hm_mask_scaled(mask, 8, 5, &other));
  TRUE(was(other, "########\n##......\n######..\n##......\n##......\n"));
  EXPECT(HM_OK, hm_mask_flipped_x(mask, &other));
  TRUE(was(other, "####\n...#\n.###\n...#\n...#\n"));
  EXPECT(HM_OK, hm_mask_flipped_y(mask, &other));
  TRUE(was(other, "#...\n#...\n###.\n#...\n####\n"));
  EXPECT(HM_OK, hm_mask_quarter_turned(mask, &other));
  TRUE(was(other, "#####\n..#.#\n..#.#\n....#\n"));
  EXPECT(HM_OK, hm_mask_cropped(mask, (hm_rect){-1, 1, 3, 4}, &other));
  TRUE(was(other, ".#..\n.###\n.#..\n"));
  EXPECT(HM_OK, hm_mask_invert(mask));
  TRUE(was(mask, "....\n.###\n...#\n.###\n.###\n"));
  mask = drawn("..\n#.");
  EXPECT(HM_OK, hm_mask_fill(mask));
  TRUE(was(mask, "##\n##\n"));
  EXPECT(HM_OK, hm_mask_solid(7, 6, &mask));
  EXPECT(HM_OK, hm_mask_shrunk(mask, 2, HM_GROW_SQUARE, &other));
  TRUE(was(other, ".......\n.......\n..###..\n..###..\n.......\n.......\n"));
  EXPECT(HM_OK, hm_mask_destroy(mask));
}

/* An F, and a hook of 4 pixels. Where they overlap, the F has (0, 2) and (1, 2) of the hook. */
static void pairs(void) {
  static const hm_point over = {-1, 2}, apart = {9, 2}, motion = {12, 4}, too_short = {5, 2};
  hm_mask *mask = drawn(letter_f), *hook = drawn("###\n..#"), *empty = drawn("."), *shared;
  hm_rect rect;
  hm_point by;
  hm_impact impact;
  hm_graze graze;
  double distance;
  EXPECT(HM_OK, hm_mask_overlap_rect(mask, hook, over, &rect));
  TRUE(is_rect(rect, 0, 2, 2, 3));
  EXPECT(HM_NONE, hm_mask_overlap_rect(hook, mask, over, &rect));
  EXPECT(HM_OK, hm_mask_overlap_mask(mask, hook, over, &shared));
  TRUE(was(shared, "....\n....\n##..\n....\n....\n"));
  /* The stem of the F leaves the hook on its right side. Shorter ways leave a pixel in it. */
  EXPECT(HM_OK, hm_mask_push_out(mask, hook, over, &by));
  TRUE(is_point(by, 2, 0));
  EXPECT(HM_NONE, hm_mask_push_out(mask, hook, apart, &by));

  /* From (3, 0) of the F to the left end of the hook. For the hook, from its (2, 1) to the corner of the F. */
  EXPECT(HM_OK, hm_mask_nearest(mask, hook, apart, &by));
  TRUE(is_point(by, 6, 2));
  EXPECT(HM_OK, hm_mask_nearest(hook, mask, apart, &by));
  TRUE(is_point(by, 7, 1));
  EXPECT(HM_OK, hm_mask_distance(mask, hook, apart, &distance));
  TRUE(fabs(distance - sqrt(6 * 6 + 2 * 2)) < 1e-9);
  EXPECT(HM_OK, hm_mask_distance(hook, mask, apart, &distance));
  TRUE(fabs(distance - sqrt(7 * 7 + 1 * 1)) < 1e-9);
  EXPECT(HM_NONE, hm_mask_nearest(mask, empty, apart, &by));
  EXPECT(HM_NONE, hm_mask_distance(mask, empty, apart, &distance));
  /* 6.3 px apart. */
  EXPECT(HM_OK, hm_mask_graze(mask, hook, apart, 6, &graze));
  TRUE(graze == HM_GRAZE_CLEAR);
  EXPECT(HM_OK, hm_mask_graze(mask, hook, apart, 7, &graze));
  TRUE(graze == HM_GRAZE_NEAR);
  EXPECT(HM_OK, hm_mask_graze(hook, mask, apart, 7, &graze));
  TRUE(graze == HM_GRAZE_CLEAR);
  EXPECT(HM_OK, hm_mask_graze(mask, hook, over, 0, &graze));
  TRUE(graze == HM_GRAZE_HIT);
  /* 3 px right for each px down: the first contact is at half of the way. */
  EXPECT(HM_OK, hm_mask_cast(mask, hook, apart, motion, &impact));
  TRUE(impact.step == 6 && impact.steps == 12 && impact.side == HM_SIDE_RIGHT);
  TRUE(is_point(impact.free_offset, 5, 2) && is_point(impact.contact_offset, 6, 2));
  EXPECT(HM_NONE, hm_mask_cast(mask, hook, apart, too_short, &impact));
  EXPECT(HM_NONE, hm_mask_cast(hook, mask, apart, (hm_point){6, 0}, &impact));
  EXPECT(HM_OK, hm_mask_destroy(empty));
  EXPECT(HM_OK, hm_mask_destroy(hook));
  EXPECT(HM_OK, hm_mask_destroy(mask));
}

int main(void) {
  bytes();
  measures();
  copies();
  pairs();
  printf("%d checks\n", checks);
  return 0;
}
