/*
 * SDL 2 and hitmask: 200 arrows fly about, those that touch are lit, and a click picks one.
 *
 *   cc -std=c99 sdl.c $(pkg-config --cflags --libs sdl2 hitmask) -lm -o sdl
 *   ./sdl                  until the window is closed
 *   ./sdl 60               60 frames, then a line about the last one; also without a display:
 *   SDL_VIDEODRIVER=dummy ./sdl 60
 */
#include "hitmask.h"
#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SPRITES = 200, WIDTH = 640, HEIGHT = 480, SIDE = 32 };

static void check(hm_status status) {
  if (status != HM_OK && status != HM_NONE) {
    fprintf(stderr, "%s: %s\n", hm_status_text(status), hm_last_error());
    exit(1);
  }
}

static void need(int is_there) {
  if (!is_there) {
    fprintf(stderr, "SDL: %s\n", SDL_GetError());
    exit(1);
  }
}

/* An arrow that points right, as RGBA. A game loads an image instead. */
static const uint8_t *arrow(void) {
  static uint8_t rgba[SIDE * SIDE * 4];
  int x, y;
  for (y = 0; y < SIDE; y++) {
    for (x = 0; x < SIDE; x++) {
      int from_middle = abs(2 * y - SIDE + 1);
      int is_head = x >= SIDE / 2 && from_middle < 2 * (SIDE - x);
      int is_shaft = x < SIDE / 2 && from_middle < SIDE / 4;
      uint8_t *pixel = &rgba[(y * SIDE + x) * 4];
      pixel[0] = pixel[1] = pixel[2] = 255;
      pixel[3] = is_head || is_shaft ? 255 : 0;
    }
  }
  return rgba;
}

/* The masks at all angles, baked from the pixels that are drawn. */
static hm_atlas *baked(const uint8_t *rgba) {
  hm_baker *baker;
  hm_atlas *atlas;
  check(hm_baker_create(&baker));
  check(hm_baker_add_rgba(baker, "arrow", SIDE, SIDE, 1, rgba, SIDE * SIDE * 4, NULL));
  check(hm_baker_bake_atlas(baker, &atlas));
  check(hm_baker_destroy(baker));
  return atlas;
}

/* The sprites that the renderer draws, and where they are. */
static hm_collider_id ids[SPRITES];
static hm_placement at[SPRITES];
static hm_vec2 speed[SPRITES];
static float spin[SPRITES];

static float between(float low, float high) {
  static uint32_t state = 38;
  state = state * 1664525u + 1013904223u;
  return low + (high - low) * (float)(state >> 8) / 16777216.0f;
}

static void fly(void) {
  int i;
  for (i = 0; i < SPRITES; i++) {
    at[i].x += speed[i].x;
    at[i].y += speed[i].y;
    if (at[i].x < 0 || at[i].x > WIDTH) speed[i].x = -speed[i].x;
    if (at[i].y < 0 || at[i].y > HEIGHT) speed[i].y = -speed[i].y;
    at[i].angle += spin[i];
  }
}

static void draw(SDL_Renderer *renderer, SDL_Texture *texture, const uint8_t *is_lit, int picked) {
  int i;
  SDL_SetRenderDrawColor(renderer, 20, 24, 32, 255);
  SDL_RenderClear(renderer);
  for (i = 0; i < SPRITES; i++) {
    /* A collider's position is its pivot: the centre of the image. */
    SDL_FRect to = {at[i].x - SIDE / 2.0f, at[i].y - SIDE / 2.0f, SIDE, SIDE};
    double degrees = at[i].angle * 57.29577951308232;
    if (i == picked) SDL_SetTextureColorMod(texture, 90, 255, 90);
    else if (is_lit[i]) SDL_SetTextureColorMod(texture, 255, 70, 50);
    else SDL_SetTextureColorMod(texture, 110, 130, 160);
    SDL_RenderCopyExF(renderer, texture, NULL, &to, degrees, NULL, SDL_FLIP_NONE);
  }
}

/* Counts the contacts whose first pixel is drawn in the colour of what touches. */
static int drawn_contacts(SDL_Renderer *renderer, const hm_world *world, hm_pairs pairs) {
  static uint8_t screen[WIDTH * HEIGHT * 4];
  int found = 0;
  size_t i;
  need(SDL_RenderReadPixels(renderer, NULL, SDL_PIXELFORMAT_RGBA32, screen, WIDTH * 4) == 0);
  for (i = 0; i < pairs.count; i++) {
    hm_contact contact;
    check(hm_world_contact(world, pairs.items[i], &contact));
    if (contact.point.x >= 0 && contact.point.x < WIDTH && contact.point.y >= 0 &&
        contact.point.y < HEIGHT) {
      found += screen[(contact.point.y * WIDTH + contact.point.x) * 4] > 200;
    }
  }
  return found;
}

int main(int count, char **arguments) {
  static uint8_t is_lit[SPRITES];
  long frames = count > 1 ? strtol(arguments[1], NULL, 10) : -1;
  const uint8_t *rgba = arrow();
  hm_atlas *atlas = baked(rgba);
  hm_world *world;
  hm_collider collider = hm_default_collider();
  hm_pairs pairs = {NULL, 0};
  hm_collider_id picked = 0;
  uint64_t index = 0;
  int i, is_open = 1, lit = 0, drawn = 0;
  SDL_Window *window;
  SDL_Renderer *renderer;
  SDL_Texture *texture;

  need(SDL_Init(SDL_INIT_VIDEO) == 0);
  window = SDL_CreateWindow("hitmask", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, WIDTH, HEIGHT, 0);
  need(window != NULL);
  renderer = SDL_CreateRenderer(window, -1, 0);
  need(renderer != NULL);
  texture = SDL_CreateTexture(renderer, SDL_PIXELFORMAT_RGBA32, SDL_TEXTUREACCESS_STATIC, SIDE, SIDE);
  need(texture != NULL && SDL_UpdateTexture(texture, NULL, rgba, SIDE * 4) == 0);
  SDL_SetTextureBlendMode(texture, SDL_BLENDMODE_BLEND);

  check(hm_world_create(atlas, &world));
  check(hm_atlas_sprite(atlas, "arrow", &collider.sprite));
  for (i = 0; i < SPRITES; i++) {
    at[i].x = collider.x = between(0, WIDTH);
    at[i].y = collider.y = between(0, HEIGHT);
    speed[i].x = between(-3, 3);
    speed[i].y = between(-3, 3);
    spin[i] = between(-0.1f, 0.1f);
    check(hm_world_insert(world, &collider, &ids[i]));
    /* What a hit gives back: the index of the sprite. */
    check(hm_world_set_user_data(world, ids[i], (uint64_t)i));
  }
  while (is_open && frames != 0) {
    SDL_Event event;
    size_t pair;
    while (SDL_PollEvent(&event)) {
      if (event.type == SDL_QUIT) is_open = 0;
      if (event.type == SDL_MOUSEBUTTONDOWN) {
        check(hm_world_pick(world, (float)event.button.x, (float)event.button.y, 4, HM_PICK_BY_SLOT,
                            NULL, &picked));
      }
    }
    fly();
    check(hm_world_set_placements(world, ids, at, SPRITES));
    check(hm_world_update(world));
    check(hm_world_touching(world, &pairs));
    memset(is_lit, 0, sizeof is_lit);
    for (pair = 0; pair < pairs.count; pair++) {
      check(hm_world_user_data(world, pairs.items[pair].a, &index));
      is_lit[index] = 1;
      check(hm_world_user_data(world, pairs.items[pair].b, &index));
      is_lit[index] = 1;
    }
    if (picked != 0) check(hm_world_user_data(world, picked, &index));
    draw(renderer, texture, is_lit, picked != 0 ? (int)index : -1);
    if (frames == 1) drawn = drawn_contacts(renderer, world, pairs);
    SDL_RenderPresent(renderer);
    if (frames > 0) frames--;
    else SDL_Delay(16);
  }
  for (i = 0; i < SPRITES; i++) lit += is_lit[i];
  printf("touching %lu, lit %d, contacts drawn %d\n", (unsigned long)pairs.count, lit, drawn);
  check(hm_world_destroy(world));
  check(hm_atlas_destroy(atlas));
  SDL_DestroyTexture(texture);
  SDL_DestroyRenderer(renderer);
  SDL_DestroyWindow(window);
  SDL_Quit();
  return 0;
}
