//! A hero runs, climbs, jumps, drops through ledges, and rides a belt and a lift, by a file of keys.

use hitmask::{Atlas, Collider, Filter, MapItem, MoveRules, Side, World};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let atlas = Atlas::open("art.hitmask")?;
    let map = atlas.map("course").ok_or("no course")?;
    let hero = Collider::new(atlas.sprite_id("hero").ok_or("no hero")?);
    let mut world = World::new(atlas);
    let placed = world.insert_map(&map, [0.0, 0.0])?;
    let index = |name: &str| map.items.iter().position(|item| item.name == name).ok_or("no item");
    let (start, lift) = (index("start")?, index("lift")?);
    let hero = world.insert(hero.at(map.items[start].position))?;

    let rules = MoveRules { climb: 3, one_way: 2, ..MoveRules::default() };
    let mut floor: Option<&MapItem> = None; // What the hero stands on.
    let (mut speed, mut ticks_in_air, mut has_jumped) = (0.0, 0, false);
    let script = std::fs::read_to_string("keys.txt")?;
    for (tick, key) in script.chars().filter(|key| !key.is_whitespace()).enumerate() {
        let is = |keys: &str| keys.contains(key);
        let (left, right, jump, down) = (is("<\\"), is(">/"), is("^/\\"), is("v"));

        // The lift goes up and down by 1 px per tick.
        let [x, y] = map.items[lift].position;
        let height = 80 - (tick as i32 % 160 - 80).abs();
        world.move_to(placed.ids[lift].ok_or("no lift")?, [x, y - height as f32])?;

        // Sideways first. The belt carries the hero to the left.
        let drift = if floor.is_some_and(|item| item.name == "belt") { -1.0 } else { 0.0 };
        let run = 1.5 * (f32::from(right) - f32::from(left));
        world.move_by_rules(hero, [run + drift, 0.0], rules, Filter::SOLID)?;

        // Coyote time: a jump still works 6 ticks after the hero has left the ground.
        if jump && !has_jumped && ticks_in_air <= 6 {
            (speed, ticks_in_air, floor) = (-5.0, 7, None);
        } else if down && floor.is_some_and(|item| item.class == "one-way") {
            // A one-way platform raises what is up to 2 px deep in it, by the rule `rise`. So 3 px down fall through.
            let [x, y] = world.get(hero).ok_or("no hero")?.position;
            world.move_to(hero, [x, y + 3.0])?;
            floor = None;
        }
        has_jumped = jump;

        // In the air the hero falls. On the ground 2 px down keep it on a slope.
        speed = f32::min(speed + 0.25, 6.0);
        let fall = if floor.is_some() { 2.0 } else { speed };
        let moved = world.move_by_rules(hero, [0.0, fall], rules, Filter::SOLID)?;
        let below = moved.contacts.iter().find(|(_, side)| *side == Side::Below);
        let item = below.and_then(|(id, _)| placed.ids.iter().position(|it| *it == Some(*id)));
        floor = item.map(|item| &map.items[item]);
        ticks_in_air = if floor.is_some() { 0 } else { ticks_in_air + 1 };
        if !moved.contacts.is_empty() {
            speed = 0.0; // On the ground, or at a ceiling.
        }
        world.update();
        let [x, y] = moved.position;
        println!("{x} {y}");
    }
    Ok(())
}
