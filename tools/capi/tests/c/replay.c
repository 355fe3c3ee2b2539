/* Replays traces of the naive world: each line is a call and its right answer, `name(arguments) => answer`. The file
 * tools/scenes/src/naive/trace.rs describes them. Arguments: the folder of the atlases, then the traces. */
#include "check.h"

enum { MOST = 1 << 14, LIST = 256 };

/* ---- The line: tokens of the call, of which `next_token` is next, and those of the answer. ---- */

static char got[1 << 18];
static const char *tokens[MOST], *answers[MOST];
static size_t token_count, answer_count, next_token, next_answer;
static int is_same;

/* Splits at punctuation. Brackets are tokens of a call, and left out of an answer, as are the words of an option. */
static size_t split(const char *line, char *words, const char **list, int is_call) {
  size_t count = 0;
  const char *start = NULL;
  for (;; line++) {
    int is_bracket = *line == '[' || *line == ']';
    if (count + 2 >= MOST) exit(2);
    if (*line && !is_bracket && !strchr(" ,()=\"", *line)) {
      if (!start) start = list[count++] = words;
      *words++ = *line;
      continue;
    }
    if (start) {
      *words++ = 0;
      if (!is_call && (!strcmp(start, "None") || !strcmp(start, "Some"))) count--;
      start = NULL;
    }
    if (!*line) return count;
    if (is_bracket && is_call) list[count++] = *line == '[' ? "[" : "]";
  }
}

/* ---- Arguments. ---- */

static const char *folder;
static hm_world *world;
static hm_collider_id id[2], ids[2][LIST];
static hm_vec2 v[2], vecs[2][LIST];
static hm_point p[2];
static float f[2];
static uint32_t n[2];
static size_t counts[2], vec_counts[2];
static hm_rect box;
static hm_affine affine;
static hm_accuracy level;
static uint8_t is_set;
static hm_mask *card;
static hm_atlas *atlas;
static const char *word;

static const char *next(void) { return next_token < token_count ? tokens[next_token++] : ""; }
static int is_next(const char *token) { return next_token < token_count && !strcmp(tokens[next_token], token); }
static double real(void) { return strtod(next(), NULL); }
static float number(void) { return (float)real(); }
static uint64_t natural(void) { return strtoull(next(), NULL, 10); }
static int32_t whole(void) { return (int32_t)strtol(next(), NULL, 10); }
static uint8_t flag(void) { return !strcmp(next(), "true"); }

static hm_vec2 vec(void) {
  hm_vec2 at;
  at.x = number();
  at.y = number();
  return at;
}

static const char *const ACCURACIES[] = {"box", "coarse", "exact"};
static hm_accuracy accuracy(void) {
  const char *name = next();
  hm_accuracy found = 0;
  while (found < 3 && strcmp(name, ACCURACIES[found])) found++;
  return found < 3 ? found : HM_ACCURACY_SAME;
}

/* M("##./.#.") */
static void read_mask(void) {
  char rows[MOST], *row = rows;
  next();
  snprintf(rows, MOST, "%s", next());
  while ((row = strchr(row, '/'))) *row = '\n';
  EXPECT(HM_OK, hm_mask_from_text(rows, &card));
}

/* A(family, version) */
static void read_atlas(void) {
  char path[4096];
  const char *family = (next(), next()), *version = next();
  snprintf(path, sizeof(path), "%s/atlas-%s-%s.hitmask", folder, family, version);
  EXPECT(HM_OK, hm_atlas_open(path, NULL, &atlas));
}

/* Items of a list, which this reads one by one. */
#define ITEMS(count, item)                                                                         \
  for (next(), count = 0; !is_next("]") && count < LIST; count++) item;                            \
  next()

/* ---- Keyword arguments, which change the defaults. ---- */

static hm_collider collider;
static hm_filter filter;
static hm_move_rules rules;
static hm_pivot pivot;
static double turns[LIST], angles[LIST], scales[LIST];
static uint64_t user_data;
static int has_pivot, has_user_data, has_turns, is_odd;

/* One number, or a list. Returns the first. */
static double reals(double *list) {
  size_t count;
  if (!is_next("[")) return real();
  ITEMS(count, list[count] = real());
  return 0;
}

static void read_keys(void) {
  while (next_token < token_count) {
    const char *key = next();
#define KEY(name, ...)                                                                             \
  if (!strcmp(key, name)) {                                                                        \
    __VA_ARGS__;                                                                                   \
    continue;                                                                                      \
  }
    KEY("sprite", collider.sprite = natural(), collider.mask = 0)
    KEY("mask", collider.mask = natural(), collider.sprite = 0)
    KEY("at", collider.x = number(), collider.y = number())
    KEY("turn", collider.turn = (uint16_t)reals(turns), collider.use_turn = 1, has_turns = 1)
    KEY("angle", collider.angle = (float)reals(angles), collider.use_turn = 0)
    KEY("scale", collider.scale = (float)reals(scales))
    KEY("frame", collider.frame = (uint32_t)natural())
    KEY("plane", collider.plane = (uint32_t)natural())
    KEY("flip_x", collider.flip_x = flag())
    KEY("flip_y", collider.flip_y = flag())
    KEY("layers", collider.layers = filter.layers = (uint32_t)natural())
    KEY("collides_with", collider.collides_with = (uint32_t)natural())
    KEY("owner", collider.owner = (uint32_t)natural())
    KEY("min_overlap", collider.min_overlap = (uint32_t)natural(), collider.min_width = collider.min_height = 0)
    KEY("min_size", collider.min_width = (uint32_t)natural(), collider.min_height = (uint32_t)natural())
    KEY("fixed", collider.fixed = flag())
    KEY("sensor", collider.sensor = flag())
    KEY("enabled", collider.enabled = flag())
    KEY("accuracy", collider.accuracy = filter.accuracy = accuracy())
    KEY("move_accuracy", collider.move_accuracy = accuracy())
    KEY("user_data", user_data = natural(), has_user_data = 1)
    KEY("ignore", filter.except = natural())
    KEY("sensors", filter.sensors = flag())
    KEY("climb", rules.climb = (uint32_t)natural())
    KEY("slip", rules.slip = (uint32_t)natural())
    KEY("one_way", rules.one_way = (uint32_t)natural())
    KEY("rise", rules.rise = (uint32_t)natural())
    KEY("pivot", pivot.x2 = (int32_t)(2 * real()), pivot.y2 = (int32_t)(2 * real()), has_pivot = 1)
    KEY("among", is_odd = !strcmp(next(), "odd"))
    KEY("remove", is_set = flag())
    fprintf(stderr, "unknown argument %s\n", key);
    exit(1);
  }
}

/* Reads arguments: a letter for each, and k for keyword arguments. */
static void read(const char *kinds) {
  size_t count[128] = {0};
  for (; *kinds; kinds++) {
    size_t k = count[(int)*kinds]++;
    switch (*kinds) {
      case 'i': id[k] = natural(); break;
      case 'I': ITEMS(counts[k], ids[k][counts[k]] = natural()); break;
      case 'v': v[k] = vec(); break;
      case 'V': ITEMS(vec_counts[k], vecs[k][vec_counts[k]] = vec()); break;
      case 'p': p[k].x = whole(), p[k].y = whole(); break;
      case 'f': f[k] = number(); break;
      case 'n': n[k] = (uint32_t)natural(); break;
      case 'r': box.x0 = whole(), box.y0 = whole(), box.x1 = whole(), box.y1 = whole(); break;
      case 't':
        affine.a = real(), affine.b = real(), affine.c = real(), affine.d = real();
        affine.tx = real(), affine.ty = real();
        break;
      case 'a': level = accuracy(); break;
      case 'b': is_set = flag(); break;
      case 'w': word = next(); break;
      case 'M': read_mask(); break;
      case 'A': read_atlas(); break;
      default: read_keys();
    }
  }
}

/* ---- The answer: each value is compared with the next token of the right one. ---- */

static void put(int is_right, const char *value) {
  size_t end = strlen(got);
  is_right &= next_answer < answer_count;
  is_same &= is_right;
  snprintf(got + end, sizeof(got) - end, "%s ", is_right ? answers[next_answer] : value);
  next_answer++;
}

static const char *wanted(void) { return next_answer < answer_count ? answers[next_answer] : ""; }

static void put_text(const char *value) {
  if (*value) put(!strcmp(wanted(), value), value);
}

static void put_id(uint64_t value) {
  char digits[32];
  sprintf(digits, "%llu", (unsigned long long)value);
  put_text(digits);
}

static void put_real(double value) {
  char digits[32], *end;
  int is_right = strtod(wanted(), &end) == value && end != wanted() && !*end;
  sprintf(digits, "%.17g", value);
  put(is_right, digits);
}

static void put_flag(uint8_t value) { put_text(value ? "true" : "false"); }
static void put_vec(hm_vec2 at) { put_real(at.x), put_real(at.y); }
static void put_point(hm_point at) { put_real(at.x), put_real(at.y); }
static void put_rect(hm_rect of) { put_real(of.x0), put_real(of.y0), put_real(of.x1), put_real(of.y1); }
static void put_accuracy(hm_accuracy value) { put_text(value < 3 ? ACCURACIES[value] : ""); }

static void put_side(hm_side side) {
  static const char *const NAMES[] = {"below", "above", "left", "right"};
  put_text(side < 4 ? NAMES[side] : "?");
}

static void put_ids(hm_colliders list) {
  while (list.count--) put_id(*list.items++);
}

static void put_contact(hm_contact of) { put_id(of.area), put_rect(of.rect), put_point(of.point); }
static void put_body(hm_body body) {
  put_text(body.owner ? "owner" : "collider"), put_id(body.owner ? body.owner : body.collider);
}

static void put_impact(hm_impact of) {
  put_id(of.step), put_id(of.steps), put_real(of.time);
  put_point(of.free_offset), put_point(of.contact_offset), put_vec(of.normal), put_side(of.side);
}

static void put_hit(hm_hit of) {
  put_id(of.collider), put_vec(of.position), put_vec(of.point), put_impact(of.impact);
}

static void put_line_hit(hm_line_hit of) {
  put_id(of.collider), put_point(of.point), put_id(of.step), put_id(of.steps), put_vec(of.normal);
}

static void put_mask(hm_mask *shown) {
  hm_text rows;
  char text[MOST], *row = text;
  EXPECT(HM_OK, hm_mask_text(shown, &rows));
  snprintf(text, MOST, "%.*s", (int)rows.count - 1, rows.items);
  while ((row = strchr(row, '\n'))) *row = '/';
  put_text(text);
  EXPECT(HM_OK, hm_mask_destroy(shown));
}

/* ---- What calls write, and how it is put if they succeed. ---- */

static hm_colliders found;
static hm_pairs pairs;
static hm_hit hit;
static hm_hits hits;
static hm_line_hit line_hit;
static hm_line_hits line_hits;
static hm_nearest nearest;
static hm_contact contact;
static hm_overlap overlap;
static hm_plane_pairs planes;
static hm_body_pairs bodies;
static hm_body_hit body_hit;
static hm_move_result moved;
static hm_moves moves;
static hm_grazes grazes;
static hm_placements places;
static hm_point point;
static hm_vec2 by;
static hm_rect rect;
static hm_mask *shown;
static hm_world *made;
static hm_atlas_id atlas_id;
static hm_reload_report report;
static uint64_t data;
static size_t count;
static double distance;
static float factor;
static uint8_t saved[1 << 20];
static size_t saved_size;

#define PUT(name, ...)                                                                             \
  static hm_status name(hm_status status) {                                                        \
    size_t i = 0, k = 0, at = 0;                                                                   \
    (void)i, (void)k, (void)at;                                                                    \
    if (status == HM_OK) {                                                                         \
      __VA_ARGS__;                                                                                 \
    }                                                                                              \
    return status;                                                                                 \
  }
#define EACH(list, ...)                                                                            \
  for (i = 0; i < list.count; i++) __VA_ARGS__
PUT(as_found, put_ids(found))
PUT(as_pairs, EACH(pairs, put_id(pairs.items[i].a), put_id(pairs.items[i].b)))
PUT(as_hit, put_hit(hit))
PUT(as_hits, EACH(hits, put_hit(hits.items[i])))
PUT(as_mask_hit, put_id(hit.collider), put_impact(hit.impact))
PUT(as_mask_hits, EACH(hits, put_id(hits.items[i].collider), put_impact(hits.items[i].impact)))
PUT(as_line_hit, put_line_hit(line_hit))
PUT(as_line_hits, EACH(line_hits, put_line_hit(line_hits.items[i])))
PUT(as_nearest, put_id(nearest.collider), put_real(nearest.distance))
PUT(as_contact, put_contact(contact))
PUT(as_planes, EACH(planes, put_id(planes.items[i].a), put_id(planes.items[i].b)))
PUT(as_body_hit, put_id(body_hit.part), put_body(body_hit.body), put_hit(body_hit.hit))
PUT(as_data, put_id(data))
PUT(as_count, put_id(count))
PUT(as_point, put_point(point))
PUT(as_vec, put_vec(by))
PUT(as_rect, put_rect(rect))
PUT(as_mask, put_mask(shown))
PUT(as_distance, put_real(distance))
PUT(as_factor, put_real(factor))
PUT(as_level, put_accuracy(level))
PUT(as_atlas_id, put_id(atlas_id))
PUT(as_world, hm_world_destroy(world), world = made)
PUT(as_places, EACH(places, put_real(places.items[i].x), put_real(places.items[i].y), put_real(places.items[i].angle)))
PUT(as_grazes, EACH(grazes, put_id(grazes.items[i].collider),
                    put_text(grazes.items[i].graze == HM_GRAZE_HIT ? "hit" : "graze")))
PUT(as_overlap, put_contact(overlap.contact), put_vec(overlap.centroid), put_vec(overlap.normal),
    put_side(overlap.side), put_point(overlap.push_out), put_real(overlap.depth))
PUT(as_bodies, EACH(bodies, put_body(bodies.items[i].a), put_body(bodies.items[i].b), put_id(bodies.items[i].part_a),
                    put_id(bodies.items[i].part_b)))
PUT(as_moved, put_vec(moved.position), put_point(moved.translation);
    EACH(moved.contacts, put_id(moved.contacts.items[i].collider), put_side(moved.contacts.items[i].side));
    put_ids(moved.passed), put_ids(moved.stuck_in))
/* Columns, with the mover before each item of the others. */
PUT(as_moves, EACH(moves, put_vec(moves.items[i].position), put_point(moves.items[i].translation));
    EACH(moves, for (k = 0; k < moves.items[i].contacts; k++, at++) put_id(ids[0][i]),
         put_id(moves.contacts.items[at].collider), put_side(moves.contacts.items[at].side));
    EACH(moves, for (k = 0; k < moves.items[i].passed && moves.passed.count; k++, moves.passed.count--) put_id(ids[0][i]),
         put_id(*moves.passed.items++));
    EACH(moves, for (k = 0; k < moves.items[i].stuck_in && moves.stuck_in.count; k++, moves.stuck_in.count--) put_id(ids[0][i]),
         put_id(*moves.stuck_in.items++)))
PUT(as_report, put_id(report.atlas); hm_sprite_change change; for (; i < report.changes; i++) {
  EXPECT(HM_OK, hm_world_sprite_change(world, (uint32_t)i, &change));
  put_text(change.sprite);
} put_ids(report.outdated))

/* ---- Calls of several statements. ---- */

static hm_status with_data(hm_status status, const hm_collider_id *of) {
  if (status == HM_OK && has_user_data) EXPECT(HM_OK, hm_world_set_user_data(world, *of, user_data));
  return status;
}

/* Colliders whose sprites and places are lists, or which share a mask. */
static hm_collider *columns(const char *kinds) {
  static hm_collider all[LIST];
  size_t i;
  int has_sprites = is_next("[");
  read(has_sprites ? "I" : "w");
  vec_counts[0] = 0;
  read(kinds);
  count = has_sprites ? counts[0] : vec_counts[0];
  for (i = 0; i < count; i++) {
    all[i] = collider;
    if (has_sprites) all[i].sprite = ids[0][i];
    if (vec_counts[0]) all[i].x = vecs[0][i].x, all[i].y = vecs[0][i].y;
    all[i].turn = (uint16_t)turns[i];
    all[i].angle = (float)angles[i];
    all[i].scale = (float)scales[i];
  }
  return all;
}

static hm_status state(hm_collider_id of);

static hm_status insert(void) {
  hm_collider_id of;
  hm_status status = with_data(hm_world_insert(world, &collider, &of), &of);
  if (status) return status;
  put_id(of);
  return state(of);
}

static hm_status insert_all(void) {
  hm_collider *all = columns("Vk");
  hm_status status = as_found(hm_world_insert_all(world, all, count, &found));
  size_t i;
  EACH(found, with_data(status, &found.items[i]), state(found.items[i]));
  return status;
}

static hm_status draw_ahead(void) {
  hm_collider *all = columns("k");
  return as_count(hm_world_draw_ahead(world, all, count, UINT64_MAX, UINT64_MAX, &count));
}

static hm_status state(hm_collider_id of) {
  hm_collider c;
  hm_status status = hm_world_get(world, of, &c);
  if (status) return status;
  put_id(c.frame), put_id(c.plane), put_real(c.x), put_real(c.y), put_real(c.use_turn ? c.turn : c.angle);
  put_real(c.scale), put_flag(c.flip_x), put_flag(c.flip_y), put_id(c.layers), put_id(c.collides_with), put_id(c.owner);
  if (c.min_width || c.min_height) put_id(c.min_width), put_id(c.min_height);
  else put_id(c.min_overlap);
  put_flag(c.fixed), put_flag(c.sensor), put_flag(c.enabled), put_accuracy(c.accuracy), put_accuracy(c.move_accuracy);
  return as_data(hm_world_user_data(world, of, &data));
}

/* Edits answer with what they leave. */
static hm_status then_state(hm_status status, const hm_collider_id *of) { return status ? status : state(*of); }
static hm_status then_mask(hm_status status) {
  return status ? status : as_mask(hm_world_copy_mask(world, id[0], &shown));
}

static hm_status set(void) {
  hm_status status = (read("i"), hm_world_get(world, id[0], &collider));
  read_keys();
  return then_state(status ? status : with_data(hm_world_set(world, id[0], &collider), id), id);
}

static hm_status set_placements(void) {
  static hm_placement placed[LIST];
  static hm_placement_turn turned[LIST];
  hm_status status;
  size_t i;
  for (i = 0; i < counts[0]; i++) {
    placed[i].x = turned[i].x = vecs[0][i].x;
    placed[i].y = turned[i].y = vecs[0][i].y;
    placed[i].angle = (float)angles[i];
    turned[i].turn = (uint16_t)turns[i];
  }
  status = has_turns ? hm_world_set_placements_turn(world, ids[0], turned, counts[0])
                     : hm_world_set_placements(world, ids[0], placed, counts[0]);
  return status ? status : as_places(hm_world_placements(world, ids[0], counts[0], &places));
}

static hm_status rays(void) {
  hm_vec2 ends[2 * LIST];
  size_t i;
  for (i = 0; i < vec_counts[0]; i++) ends[2 * i] = vecs[0][i], ends[2 * i + 1] = vecs[1][i];
  return as_line_hits(hm_world_rays(world, ends, vec_counts[0], &filter, &line_hits));
}

static hm_status casts(void) {
  hm_status status = hm_world_casts(world, ids[0], vecs[0], counts[0], &hits);
  size_t i;
  for (i = 0; i < hits.count; i++) {
    hm_hit of = hits.items[i];
    put_id(of.collider);
    if (of.collider) put_vec(of.position), put_vec(of.point), put_real(of.impact.time), put_vec(of.impact.normal);
  }
  return status;
}

static hm_status invert_mask(void) {
  EXPECT(HM_OK, hm_world_copy_mask(world, id[0], &card));
  EXPECT(HM_OK, hm_mask_fill(card));
  return hm_world_blit(world, id[0], card, (hm_point){0, 0}, HM_BLIT_TOGGLE);
}

static hm_status remove_mask(void) {
  hm_status copied = hm_world_copy_mask(world, id[0], &shown), status = hm_world_remove_mask(world, id[0]);
  if (status == HM_OK) return as_mask(status);
  if (copied == HM_OK) EXPECT(HM_OK, hm_mask_destroy(shown));
  return status;
}

static hm_status rebuild(void) {
  hm_atlas *list[16];
  hm_atlas_ids of;
  hm_bytes bytes;
  hm_status status;
  size_t i;
  EXPECT(HM_OK, hm_world_atlases(world, &of));
  TRUE(of.count < 16);
  EACH(of, EXPECT(HM_OK, hm_world_atlas(world, of.items[i], &list[i])));
  EXPECT(HM_OK, hm_world_snapshot(world, &bytes));
  status = hm_world_from_snapshot_over((const hm_atlas *const *)list, of.count, bytes.items, bytes.count, &made);
  EACH(of, EXPECT(HM_OK, hm_atlas_destroy(list[i])));
  return as_world(status);
}

static uint8_t keep_odd(void *user, hm_collider_id of, uint64_t its_data) {
  (void)user, (void)its_data;
  return of & 1;
}
#define AMONG is_odd ? keep_odd : NULL, NULL

static uint8_t keep_salted(void *user, hm_pair pair, uint64_t data_a, uint64_t data_b) {
  uint32_t a = (uint32_t)(pair.a ^ data_a), b = (uint32_t)(pair.b ^ data_b);
  return ((a ^ (b << 9 | b >> 23)) * *(uint32_t *)user) >> 29 != 0;
}

/* ---- All calls: a name, its arguments, and what is called. ---- */

#define PAIR (hm_pair){id[0], id[1]}

/* Makes a call. Without a name, says which calls were never made. */
static hm_status call(const char *name) {
#define CALL(known, kinds, ...)                                                                    \
  {                                                                                                \
    static int made_calls;                                                                         \
    if (name && !strcmp(name, #known)) {                                                           \
      made_calls++;                                                                                \
      read(kinds);                                                                                 \
      return __VA_ARGS__;                                                                          \
    }                                                                                              \
    if (!name && !made_calls) fprintf(stderr, "no trace calls %s\n", #known), exit(1);             \
  }
  CALL(create, "A", as_world(hm_world_create(atlas, &made)))
  CALL(insert, "k", insert())
  CALL(insert_all, "", insert_all())
  CALL(draw_ahead, "", draw_ahead())
  CALL(set, "", set())
  CALL(get, "i", state(id[0]))
  CALL(remove, "i", hm_world_remove(world, id[0]))
  CALL(remove_all, "I", hm_world_remove_all(world, ids[0], counts[0], &count))
  CALL(move_to, "iv", then_state(hm_world_move_to(world, id[0], v[0].x, v[0].y), id))
  CALL(turn_to, "if", then_state(hm_world_turn_to(world, id[0], f[0]), id))
  CALL(place, "ivff", then_state(hm_world_place(world, id[0], v[0].x, v[0].y, f[0], f[1]), id))
  CALL(set_placements, "IVk", set_placements())
  CALL(placements, "I", as_places(hm_world_placements(world, ids[0], counts[0], &places)))
  CALL(set_user_data, "ii", then_state(hm_world_set_user_data(world, id[0], id[1]), id))
  CALL(user_data, "i", as_data(hm_world_user_data(world, id[0], &data)))
  CALL(ids, "", as_found(hm_world_ids(world, &found)))
  CALL(count, "", as_count(hm_world_count(world, &count)))
  CALL(rect, "i", as_rect(hm_world_rect(world, id[0], &rect)))
  CALL(posed, "i", as_point(as_mask(hm_world_posed_mask(world, id[0], &shown, &point))))
  CALL(set_accuracy, "a", hm_world_set_accuracy(world, level))
  CALL(accuracy, "", as_level(hm_world_accuracy(world, &level)))
  CALL(set_scale_policy, "f", hm_world_set_scale_policy(world, f[0]))
  CALL(scale_policy, "", as_factor(hm_world_scale_policy(world, &factor)))
  CALL(validate, "", hm_world_validate(world))
  CALL(state_hash, "", as_data(hm_world_state_hash(world, &data)))

  CALL(update, "", hm_world_update(world))
  CALL(update_with, "n", hm_world_update_with(world, keep_salted, &n[0]))
  CALL(touching, "", as_pairs(hm_world_touching(world, &pairs)))
  CALL(began, "", as_pairs(hm_world_began(world, &pairs)))
  CALL(ended, "", as_pairs(hm_world_ended(world, &pairs)))
  CALL(stayed, "", as_pairs(hm_world_stayed(world, &pairs)))
  CALL(touching_bodies, "", as_bodies(hm_world_touching_bodies(world, &bodies)))
  CALL(began_bodies, "", as_bodies(hm_world_began_bodies(world, &bodies)))
  CALL(ended_bodies, "", as_bodies(hm_world_ended_bodies(world, &bodies)))
  CALL(parts_of, "n", as_found(hm_world_parts_of(world, n[0], &found)))
  CALL(touching_with, "i", as_found(hm_world_touching_with(world, id[0], &found)))
  CALL(touching_between, "II",
       as_pairs(hm_world_touching_between(world, ids[0], counts[0], ids[1], counts[1], &pairs)))
  CALL(contact, "ii", as_contact(hm_world_contact(world, PAIR, &contact)))
  CALL(contact_at, "iia", as_contact(hm_world_contact_at(world, PAIR, level, &contact)))
  /* A call of Python alone. */
  CALL(contacts, "", (next_answer = answer_count, HM_OK))
  CALL(overlap, "ii", as_overlap(hm_world_overlap(world, PAIR, &overlap)))
  CALL(overlapping_planes, "ii", as_planes(hm_world_overlapping_planes(world, PAIR, &planes)))
  CALL(distance, "ii", as_distance(hm_world_distance(world, id[0], id[1], &distance)))

  CALL(query_point, "vk", as_found(hm_world_query_point(world, v[0].x, v[0].y, &filter, &found)))
  CALL(query_rect, "rk", as_found(hm_world_query_rect(world, box, &filter, &found)))
  CALL(query_circle, "vfk", as_found(hm_world_query_circle(world, v[0].x, v[0].y, f[0], &filter, &found)))
  CALL(query_ellipse, "vvk",
       as_found(hm_world_query_ellipse(world, v[0].x, v[0].y, v[1].x, v[1].y, &filter, &found)))
  CALL(query_line, "vvk", as_found(hm_world_query_line(world, v[0], v[1], &filter, &found)))
  CALL(query_mask, "Mpk", as_found(hm_world_query_mask(world, card, p[0], &filter, &found)))
  CALL(ray, "vvk", as_line_hit(hm_world_ray(world, v[0], v[1], &filter, &line_hit)))
  CALL(ray_all, "vvk", as_line_hits(hm_world_ray_all(world, v[0], v[1], &filter, &line_hits)))
  CALL(rays, "VVk", rays())
  CALL(nearest, "vfk", as_nearest(hm_world_nearest(world, v[0].x, v[0].y, f[0], &filter, &nearest)))
  CALL(nearest_to, "ifk", as_nearest(hm_world_nearest_to(world, id[0], f[0], &filter, &nearest)))
  CALL(pick, "vfwk",
       as_data(hm_world_pick(world, v[0].x, v[0].y, f[0], !strcmp(word, "data"), &filter, &data)))
  CALL(picks, "Vfk",
       as_found(hm_world_picks(world, vecs[0], vec_counts[0], f[0], HM_PICK_BY_SLOT, &filter, &found)))
  CALL(graze, "ifk", as_grazes(hm_world_graze(world, id[0], f[0], &filter, &grazes)))
  CALL(nearest_free_offset, "Mpnk",
       as_point(hm_world_nearest_free_offset(world, card, p[0], n[0], &filter, &point)))
  CALL(push_out, "if", as_vec(hm_world_push_out(world, id[0], f[0], &by)))

  CALL(cast, "ivk", as_hit(hm_world_cast(world, id[0], v[0], AMONG, &hit)))
  CALL(cast_all, "ivk", as_hits(hm_world_cast_all(world, id[0], v[0], AMONG, &hits)))
  CALL(casts, "IV", casts())
  CALL(cast_mask, "Mppk", as_mask_hit(hm_world_cast_mask(world, card, p[0], p[1], &filter, &hit)))
  CALL(cast_mask_all, "Mppk", as_mask_hits(hm_world_cast_mask_all(world, card, p[0], p[1], &filter, &hits)))
  CALL(move_until_contact, "iv", as_hit(hm_world_move_until_contact(world, id[0], v[0], &hit)))
  CALL(move_and_slide, "ivk",
       as_moved(hm_world_move_by_rules(world, id[0], v[0], &rules, NULL, NULL, &moved)))
  CALL(move_all, "IVk", as_moves(hm_world_move_all(world, ids[0], vecs[0], counts[0], &rules, &moves)))
  CALL(cast_body, "nv", as_body_hit(hm_world_cast_body(world, n[0], v[0], &body_hit)))
  CALL(move_body, "nv", as_body_hit(hm_world_move_body(world, n[0], v[0], &body_hit)))
  CALL(translate_body, "nv", hm_world_translate_body(world, n[0], v[0]))

  CALL(insert_mask, "Mk", as_data(hm_world_insert_mask(world, card, has_pivot ? &pivot : NULL, &data)))
  CALL(insert_transformed, "Mt", as_data(hm_world_insert_transformed(world, card, NULL, &affine, &data)))
  CALL(transform_mask, "it", then_mask(hm_world_transform_mask(world, id[0], &affine)))
  CALL(redraw_mask, "iM", then_mask(hm_world_redraw_mask(world, id[0], card, NULL)))
  CALL(mask, "i", as_mask(hm_world_copy_mask(world, id[0], &shown)))
  CALL(replace_mask, "iM", then_mask(hm_world_replace_mask(world, id[0], card)))
  CALL(invert_mask, "i", then_mask(invert_mask()))
  CALL(fill_rect, "irb", then_mask(hm_world_fill_rect(world, id[0], box, is_set)))
  CALL(fill_disc, "ipnb", then_mask(hm_world_fill_disc(world, id[0], p[0], n[0], is_set)))
  CALL(draw_mask, "iMpb", then_mask(hm_world_blit(world, id[0], card, p[0], is_set ? HM_BLIT_DRAW : HM_BLIT_ERASE)))
  CALL(remove_mask, "i", remove_mask())

  CALL(add_atlas, "A", as_atlas_id(hm_world_add_atlas(world, atlas, &atlas_id)))
  CALL(drop_atlas, "nk",
       is_set ? as_found(hm_world_drop_atlas_and_colliders(world, n[0], &found)) : hm_world_drop_atlas(world, n[0]))
  CALL(replace_atlas, "nA", as_report(hm_world_replace_atlas(world, n[0], atlas, &report)))
  CALL(save, "", hm_world_snapshot_to(world, saved, sizeof(saved), &saved_size))
  CALL(load, "", hm_world_restore(world, saved, saved_size))
  CALL(copy, "", as_world(hm_world_clone(world, &made)))
  CALL(rebuild, "", rebuild())
  if (name) fprintf(stderr, "unknown call %s\n", name), exit(1);
  return HM_OK;
}

static void replay(const char *path) {
  static char line[1 << 18], words[1 << 19], answer_words[1 << 19];
  FILE *file = fopen(path, "r");
  int number = 0;
  TRUE(file);
  while (fgets(line, sizeof(line), file)) {
    char *answer = strstr(line, " => "), *end = strchr(line, '\n');
    hm_status status;
    int is_refused;
    TRUE(answer && end);
    *answer = *end = 0;
    answer += 4;
    token_count = split(line, words, tokens, 1);
    answer_count = split(answer, answer_words, answers, 0);
    next_token = is_same = 1;
    next_answer = 0;
    got[0] = 0;
    collider = hm_default_collider();
    filter = hm_default_filter();
    rules = hm_default_move_rules();
    has_pivot = has_user_data = has_turns = is_odd = 0;
    status = call(tokens[0]);
    is_refused = status > HM_NONE;
    if (is_refused) put_text("refused");
    number++;
    checks++;
    if (!is_same || next_answer != answer_count || is_refused != !strcmp(answer, "refused")) {
      fprintf(stderr, "%s, line %d: %s\n  expected %s\n  got      %s(%s)\n", path, number, line, answer, got,
              is_refused ? hm_last_error() : hm_status_text(status));
      exit(1);
    }
    EXPECT(HM_OK, hm_mask_destroy(card));
    EXPECT(HM_OK, hm_atlas_destroy(atlas));
    card = NULL;
    atlas = NULL;
  }
  fclose(file);
}

int main(int argument_count, char **arguments) {
  int i;
  TRUE(argument_count > 2);
  folder = arguments[1];
  for (i = 2; i < argument_count; i++) replay(arguments[i]);
  call(NULL);
  EXPECT(HM_OK, hm_world_destroy(world));
  printf("%d checks\n", checks);
  return 0;
}
