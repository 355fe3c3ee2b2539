/* Maps of the atlases that the arguments name, tests/yard.hitmask and tests/yard-edited.hitmask: what c_programs.rs
   puts into them. */
#include "check.h"
#include <math.h>

static void items(const hm_map *map, float x, float y) {
  const hm_map_item *item = map->items.items;
  TRUE(strcmp(map->name, "levels/yard") == 0 && map->size.x == 320 && map->size.y == 200.5f);
  TRUE(map->properties.count == 1 && strcmp(map->properties.items[0].key, "music") == 0);
  TRUE(strcmp(map->properties.items[0].value, "") == 0 && map->items.count == 3);
  TRUE(strcmp(item[0].id, "solid/0,0") == 0 && strcmp(item[2].id, "things/4") == 0);
  TRUE(strcmp(item[0].name, "solid") == 0 && strcmp(item[0].class_name, "chunk") == 0);
  TRUE(item[0].position.x == x && item[0].position.y == y && item[0].properties.count == 0);
  TRUE(strcmp(item[1].name, "start") == 0 && item[1].collider == 0 && item[1].size.x == 0);
  TRUE(item[1].position.x == x + 7.5f && item[1].position.y == y - 3);
  TRUE(strcmp(item[2].name, "box") == 0 && strcmp(item[2].class_name, "crate") == 0);
  TRUE(item[2].position.x == x + 40 && item[2].position.y == y + 8);
  TRUE(item[2].size.x == 4 && item[2].size.y == 4 && item[2].properties.count == 2);
  TRUE(strcmp(item[2].properties.items[0].key, "damage") == 0);
  TRUE(strcmp(item[2].properties.items[0].value, "3") == 0);
  TRUE(strcmp(item[2].properties.items[1].key, "Zahl") == 0);
  TRUE(strcmp(item[2].properties.items[1].value, "\xcf\x80") == 0);
}

static void of_an_atlas(const hm_atlas *atlas) {
  hm_map map, again;
  size_t i;
  EXPECT(HM_OK, hm_atlas_map(atlas, "levels/yard", &map));
  items(&map, 0, 0);
  for (i = 0; i < map.items.count; i++)
    TRUE(map.items.items[i].collider == 0);
  EXPECT(HM_OK, hm_atlas_map(atlas, "levels/yard", &again));
  TRUE(again.items.items == map.items.items && again.name == map.name);
  EXPECT(HM_NONE, hm_atlas_map(atlas, "levels", &map));
  TRUE(map.name == NULL && map.items.items == NULL && map.items.count == 0 && map.properties.count == 0);
  EXPECT(HM_BAD_TEXT, hm_atlas_map(atlas, "\xff", &map));
  EXPECT(HM_NULL_POINTER, hm_atlas_map(atlas, NULL, &map));
  EXPECT(HM_NULL_POINTER, hm_atlas_map(atlas, "levels/yard", NULL));
  EXPECT(HM_NULL_HANDLE, hm_atlas_map(NULL, "levels/yard", &map));
}

static void in_a_world(const hm_atlas *atlas) {
  const hm_vec2 at = {1000, 0.5f}, nowhere[] = {{NAN, 0}, {0, INFINITY}, {3e9f, 0}};
  hm_collider_id ids[4] = {0, 0, 0, 0};
  hm_collider box;
  hm_world *world;
  hm_map map;
  hm_colliders found;
  uint64_t empty, hash;
  size_t i, count = 7;
  EXPECT(HM_OK, hm_world_create(atlas, &world));
  EXPECT(HM_OK, hm_world_state_hash(world, &empty));
  EXPECT(HM_UNKNOWN_SPRITE, hm_world_insert_map(world, "yard", at, &map, NULL));
  TRUE(map.name == NULL && map.items.count == 0);
  TRUE(strstr(hm_last_error(), "\"yard\"") && strstr(hm_last_error(), "; their maps: \"empty\", \"levels/yard\""));
  for (i = 0; i < sizeof nowhere / sizeof *nowhere; i++)
    EXPECT(HM_BAD_NUMBER, hm_world_insert_map(world, "levels/yard", nowhere[i], &map, NULL));
  EXPECT(HM_BAD_NUMBER, hm_world_insert_map(world, "empty", nowhere[0], &map, NULL));
  EXPECT(HM_BAD_TEXT, hm_world_insert_map(world, "\xff", at, &map, NULL));
  EXPECT(HM_NULL_POINTER, hm_world_insert_map(world, NULL, at, &map, NULL));
  EXPECT(HM_NULL_POINTER, hm_world_insert_map(world, "levels/yard", at, NULL, NULL));
  EXPECT(HM_NULL_HANDLE, hm_world_insert_map(NULL, "levels/yard", at, &map, NULL));
  EXPECT(HM_OK, hm_world_state_hash(world, &hash));
  TRUE(hash == empty);

  EXPECT(HM_OK, hm_world_insert_map(world, "levels/yard", at, &map, NULL));
  items(&map, 1000, 0.5f);
  for (i = 0; i < map.items.count; i++)
    ids[i] = map.items.items[i].collider;
  TRUE(ids[0] != 0 && ids[2] != 0);
  EXPECT(HM_OK, hm_world_get(world, ids[2], &box));
  TRUE(box.fixed && box.sensor && box.flip_x && box.turn == 16384 && box.collides_with == 5);
  EXPECT(HM_OK, hm_world_query_point(world, map.items.items[2].position.x, 8.5f, NULL, &found));
  TRUE(found.count == 1 && found.items[0] == ids[2]);
  EXPECT(HM_OK, hm_world_insert_map(world, "empty", at, &map, NULL));
  TRUE(map.items.count == 0 && map.properties.count == 0 && strcmp(map.name, "empty") == 0);

  /* The box leaves before the rest of its map. */
  EXPECT(HM_OK, hm_world_remove(world, ids[2]));
  EXPECT(HM_NULL_POINTER, hm_world_remove_all(world, NULL, 4, &count));
  EXPECT(HM_BAD_LENGTH, hm_world_remove_all(world, ids, (size_t)-1, &count));
  EXPECT(HM_NULL_POINTER, hm_world_remove_all(world, ids, 4, NULL));
  EXPECT(HM_OK, hm_world_count(world, &count));
  TRUE(count == 1);
  EXPECT(HM_OK, hm_world_remove_all(world, ids, 4, &count));
  TRUE(count == 1);
  EXPECT(HM_OK, hm_world_remove_all(world, ids, 4, &count));
  TRUE(count == 0);
  EXPECT(HM_OK, hm_world_remove_all(world, NULL, 0, &count));
  EXPECT(HM_OK, hm_world_count(world, &count));
  TRUE(count == 0);
  EXPECT(HM_OK, hm_world_destroy(world));
}

/* Replaces the atlas of a world by another version. */
static void replace(hm_world *world, const hm_atlas *by) {
  hm_atlas_ids ids;
  hm_reload_report report;
  EXPECT(HM_OK, hm_world_atlases(world, &ids));
  EXPECT(HM_OK, hm_world_replace_atlas(world, ids.items[0], by, &report));
  TRUE(report.outdated.count == 0);
}

static void brought_up_to_date(const hm_atlas *atlas, const hm_atlas *edited) {
  const hm_vec2 at = {1000, 0.5f};
  hm_placed_map *yard, *other;
  hm_collider_id ground, box, lamp;
  hm_world *world, *elsewhere;
  hm_collider moved;
  hm_map_report report;
  hm_mask *none;
  hm_map map;
  uint64_t before, hash;
  EXPECT(HM_OK, hm_world_create(atlas, &world));
  EXPECT(HM_UNKNOWN_SPRITE, hm_world_insert_map(world, "yard", at, &map, &yard));
  TRUE(yard == NULL);
  EXPECT(HM_OK, hm_placed_map_destroy(yard));
  EXPECT(HM_OK, hm_world_insert_map(world, "levels/yard", at, &map, &yard));
  items(&map, 1000, 0.5f);
  ground = map.items.items[0].collider;
  box = map.items.items[2].collider;
  /* Another map of the world is left alone. */
  EXPECT(HM_OK, hm_world_insert_map(world, "levels/yard", at, &map, &other));
  TRUE(other != yard);

  EXPECT(HM_OK, hm_world_update_map(world, yard, &report));
  items(&report.map, 1000, 0.5f);
  TRUE(report.map.items.items[0].collider == ground && report.map.items.items[2].collider == box);
  TRUE(report.inserted.count == 0 && report.removed.count == 0 && report.changed.count == 0 && report.kept.count == 0);

  replace(world, edited);
  EXPECT(HM_OK, hm_world_update_map(world, yard, &report));
  TRUE(strcmp(report.map.name, "levels/yard") == 0 && report.map.items.count == 3);
  TRUE(report.inserted.count == 1 && report.inserted.items[0] == 0);
  TRUE(strcmp(report.map.items.items[0].id, "things/7") == 0 && strcmp(report.map.items.items[0].name, "lamp") == 0);
  lamp = report.map.items.items[0].collider;
  TRUE(lamp != 0 && lamp != box);
  TRUE(report.removed.count == 1 && report.removed.items[0].collider == box);
  TRUE(strcmp(report.removed.items[0].id, "things/4") == 0 && strcmp(report.removed.items[0].name, "box") == 0);
  TRUE(strcmp(report.removed.items[0].properties.items[0].value, "3") == 0);
  TRUE(report.changed.count == 1 && report.changed.items[0] == 1 && report.kept.count == 0);
  TRUE(report.map.items.items[1].collider == ground && report.map.items.items[1].position.x == 1008);
  TRUE(report.map.items.items[2].position.x == 1009 && report.map.items.items[2].collider == 0);
  EXPECT(HM_STALE_ID, hm_world_get(world, box, &moved));
  EXPECT(HM_OK, hm_world_get(world, ground, &moved));
  TRUE(moved.x == 1008 && moved.y == 1.5f);

  /* What the game has moved and taken stays so. */
  EXPECT(HM_OK, hm_world_move_to(world, ground, 500, 600));
  EXPECT(HM_OK, hm_world_remove(world, lamp));
  EXPECT(HM_OK, hm_world_update_map(world, yard, &report));
  TRUE(report.kept.count == 2 && report.kept.items[0] == 0 && report.kept.items[1] == 1);
  TRUE(report.inserted.count == 0 && report.removed.count == 0 && report.changed.count == 0);
  TRUE(report.map.items.items[0].collider == 0 && report.map.items.items[1].collider == ground);
  EXPECT(HM_OK, hm_world_get(world, ground, &moved));
  TRUE(moved.x == 500 && moved.y == 600);

  /* A refused call leaves all as it was. */
  EXPECT(HM_OK, hm_world_state_hash(world, &before));
  EXPECT(HM_NULL_HANDLE, hm_world_update_map(world, NULL, &report));
  TRUE(report.map.name == NULL && report.kept.count == 0);
  EXPECT(HM_NULL_HANDLE, hm_world_update_map(NULL, yard, &report));
  EXPECT(HM_NULL_POINTER, hm_world_update_map(world, yard, NULL));
  EXPECT(HM_WRONG_HANDLE, hm_world_update_map(world, (hm_placed_map *)world, &report));
  EXPECT(HM_OK, hm_mask_solid(2, 2, &none));
  EXPECT(HM_WRONG_HANDLE, hm_placed_map_destroy((hm_placed_map *)none));
  EXPECT(HM_OK, hm_mask_destroy(none));
  EXPECT(HM_OK, hm_world_state_hash(world, &hash));
  TRUE(hash == before);
  EXPECT(HM_OK, hm_world_update_map(world, other, &report));
  TRUE(report.inserted.count == 1 && report.removed.count == 1 && report.changed.count == 1);

  /* A map of another world: there is nothing of it here. */
  EXPECT(HM_OK, hm_world_create(edited, &elsewhere));
  EXPECT(HM_OK, hm_world_update_map(elsewhere, other, &report));
  TRUE(report.kept.count == 2 && report.inserted.count == 0);
  EXPECT(HM_OK, hm_world_destroy(elsewhere));

  EXPECT(HM_OK, hm_placed_map_destroy(yard));
  EXPECT(HM_STALE_HANDLE, hm_world_update_map(world, yard, &report));
  EXPECT(HM_STALE_HANDLE, hm_placed_map_destroy(yard));
  EXPECT(HM_OK, hm_world_get(world, ground, &moved));
  EXPECT(HM_OK, hm_world_destroy(world));
  EXPECT(HM_OK, hm_placed_map_destroy(other));
}

int main(int count, char **arguments) {
  hm_atlas *atlas, *edited;
  if (count != 3)
    return 2;
  EXPECT(HM_OK, hm_atlas_open(arguments[1], NULL, &atlas));
  EXPECT(HM_OK, hm_atlas_open(arguments[2], NULL, &edited));
  of_an_atlas(atlas);
  in_a_world(atlas);
  brought_up_to_date(atlas, edited);
  EXPECT(HM_OK, hm_atlas_destroy(atlas));
  EXPECT(HM_OK, hm_atlas_destroy(edited));
  printf("%d checks\n", checks);
  return 0;
}
