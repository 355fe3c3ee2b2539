/* Maps of the atlas that the first argument names, tests/yard.hitmask: what c_programs.rs puts into it. */
#include "check.h"
#include <math.h>

static void items(const hm_map *map, float x, float y) {
  const hm_map_item *item = map->items.items;
  TRUE(strcmp(map->name, "levels/yard") == 0 && map->size.x == 320 && map->size.y == 200.5f);
  TRUE(map->properties.count == 1 && strcmp(map->properties.items[0].key, "music") == 0);
  TRUE(strcmp(map->properties.items[0].value, "") == 0 && map->items.count == 3);
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
  EXPECT(HM_UNKNOWN_SPRITE, hm_world_insert_map(world, "yard", at, &map));
  TRUE(map.name == NULL && map.items.count == 0);
  TRUE(strstr(hm_last_error(), "\"yard\"") && strstr(hm_last_error(), "; their maps: \"empty\", \"levels/yard\""));
  for (i = 0; i < sizeof nowhere / sizeof *nowhere; i++)
    EXPECT(HM_BAD_NUMBER, hm_world_insert_map(world, "levels/yard", nowhere[i], &map));
  EXPECT(HM_BAD_NUMBER, hm_world_insert_map(world, "empty", nowhere[0], &map));
  EXPECT(HM_BAD_TEXT, hm_world_insert_map(world, "\xff", at, &map));
  EXPECT(HM_NULL_POINTER, hm_world_insert_map(world, NULL, at, &map));
  EXPECT(HM_NULL_POINTER, hm_world_insert_map(world, "levels/yard", at, NULL));
  EXPECT(HM_NULL_HANDLE, hm_world_insert_map(NULL, "levels/yard", at, &map));
  EXPECT(HM_OK, hm_world_state_hash(world, &hash));
  TRUE(hash == empty);

  EXPECT(HM_OK, hm_world_insert_map(world, "levels/yard", at, &map));
  items(&map, 1000, 0.5f);
  for (i = 0; i < map.items.count; i++)
    ids[i] = map.items.items[i].collider;
  TRUE(ids[0] != 0 && ids[2] != 0);
  EXPECT(HM_OK, hm_world_get(world, ids[2], &box));
  TRUE(box.fixed && box.sensor && box.flip_x && box.turn == 16384 && box.collides_with == 5);
  EXPECT(HM_OK, hm_world_query_point(world, map.items.items[2].position.x, 8.5f, NULL, &found));
  TRUE(found.count == 1 && found.items[0] == ids[2]);
  EXPECT(HM_OK, hm_world_insert_map(world, "empty", at, &map));
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

int main(int count, char **arguments) {
  hm_atlas *atlas;
  if (count != 2)
    return 2;
  EXPECT(HM_OK, hm_atlas_open(arguments[1], NULL, &atlas));
  of_an_atlas(atlas);
  in_a_world(atlas);
  EXPECT(HM_OK, hm_atlas_destroy(atlas));
  printf("%d checks\n", checks);
  return 0;
}
