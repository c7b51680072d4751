//! The menu without a terminal: keys go into the model, and its screen is drawn into a buffer.

use std::fs;
use std::path::Path;

use ratatui::Terminal;
use ratatui::backend::TestBackend;

use super::draw::draw;
use super::keys::Key;
use super::measured::Measured;
use super::model::{Effect, Mode, Model, Question, Then};
use super::rows::{Row, Target};
use crate::compose::{Catalogue, Request};

const HELLO: &str = "\
# Of the whole.
name = \"hello\"
kind = \"rust\"
platform = [\"pc\", \"process\"]

[components]
# Speaks.
console = \"plain\" # on the line
";

const LINUX: &str = "\
name = \"shell\"
kind = \"linux\"
platform = \"pc\"

[components]
console = \"plain\"
traps = \"traps\"
interrupts = \"apic\"
entropy = \"hardware\"
clock = \"tsc\"
heap = { use = \"bump\", size = \"2M\" }
";

/// On the small house of manifests that the tests of composition use.
fn model(text: &str) -> Model {
    let offer = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/offer");
    Model::new(Catalogue::read(&offer).unwrap(), text.to_owned()).unwrap()
}

/// The same with a component in a crate of the image's own: a console, beside a whittle.toml in that folder.
fn model_with_own_crate(folder: &Path) -> Model {
    let manifest = "[package]\nname = 'shouts'\n[package.metadata.whittle.component.shouting]\n\
                    summary = 'capital letters'\nprovides = ['console']\nslots.console = 'shouts::Loud'";
    fs::create_dir(folder.join("shouts")).unwrap();
    fs::write(folder.join("shouts/Cargo.toml"), manifest).unwrap();
    let text = format!("{HELLO}\n[crates]\nshouts = \"shouts\"\n");
    let request = Request::parse(&folder.join("whittle.toml"), &text).unwrap();
    let offer = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/offer");
    Model::new(Catalogue::for_request(&offer, &request).unwrap(), text).unwrap()
}

fn press(model: &mut Model, keys: &str) -> Effect {
    let key = |letter| match letter {
        '\n' => Key::Enter,
        '\u{1b}' => Key::Escape,
        '\u{7f}' => Key::Delete,
        letter => Key::Letter(letter),
    };
    keys.chars().map(key).fold(Effect::Nothing, |_, key| model.press(key))
}

fn go_to(model: &mut Model, row: &Row) {
    let place = model.rows.iter().position(|other| other == row);
    model.cursor = place.unwrap_or_else(|| panic!("{row:?} is not among {:?}", model.rows));
}

fn part(heap: bool, name: &str) -> Row {
    Row::Part(Target { heap, name: name.into() })
}

fn choose(model: &mut Model, contract: &str, pick: &str) {
    go_to(model, &part(false, contract));
    press(model, "\n");
    let Mode::Choose(chooser) = &mut model.mode else { panic!("no choices for {contract}") };
    chooser.cursor = chooser.choices.iter().position(|choice| choice.pick.name() == pick).unwrap();
    press(model, "\n");
}

fn screen(model: &Model, columns: u16, rows: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
    terminal.draw(|frame| draw(model, false, frame)).unwrap();
    terminal.backend().to_string()
}

#[test]
fn a_choice_is_written_and_judged_at_once() {
    let mut model = model(HELLO);
    choose(&mut model, "console", "framed");
    assert_eq!(model.wishes.text(), HELLO.replace("\"plain\"", "\"framed\""));
    let problem = model.outcome.problem.clone().unwrap();
    assert_eq!(problem, "whittle.toml:8: `framed` is for platform pc, not for process");
    go_to(&mut model, &Row::Platform("process".into()));
    press(&mut model, " ");
    assert_eq!(model.outcome.problem, None);
    assert!(model.wishes.text().contains("platform = [\"pc\"]\n"), "{}", model.wishes.text());
    // The last platform stays.
    go_to(&mut model, &Row::Platform("pc".into()));
    press(&mut model, " ");
    assert!(model.message.is_some() && model.outcome.plans.len() == 1);
    // A component that provides more than it was named for is shown there too.
    let shown = model.shown(&part(false, "clock"));
    assert_eq!((shown.value.as_str(), shown.why.as_str()), ("framed", "by console"));
}

#[test]
fn a_component_of_ones_own_is_a_choice() {
    let folder = tempfile::tempdir().unwrap();
    let mut model = model_with_own_crate(folder.path());
    choose(&mut model, "console", "shouting");
    assert_eq!(model.outcome.problem, None);
    assert!(model.wishes.text().contains("console = \"shouting\" # on the line"), "{}", model.wishes.text());
    go_to(&mut model, &part(false, "console"));
    let shown = screen(&model, 120, 40);
    assert!(shown.contains("shouting: capital letters") && shown.contains("crate: shouts"), "{shown}");
}

#[test]
fn choices_say_what_would_come_of_them() {
    let mut model = model(LINUX);
    go_to(&mut model, &part(false, "heap"));
    press(&mut model, "\n");
    let Mode::Choose(chooser) = &model.mode else { panic!("no choices") };
    let named: Vec<(&str, bool)> =
        chooser.choices.iter().map(|choice| (choice.pick.name(), choice.problem.is_none())).collect();
    assert_eq!(named, [("(not named)", true), ("none", false), ("bump", true), ("tlsf", true)]);
    assert_eq!(
        (&chooser.choices[3].comes[..], &chooser.choices[3].goes[..]),
        (&["tlsf".into()][..], &["bump".into()][..])
    );
    press(&mut model, "k");
    assert!(model.help()[0].contains("needs heap, which is \"none\" here"), "{:?}", model.help());
    press(&mut model, "\u{1b}");
    assert!(!model.changed());
}

#[test]
fn options_heaps_and_settings_have_values() {
    let mut model = model(LINUX);
    let heap = Target { heap: false, name: "heap".into() };
    go_to(&mut model, &Row::Part(heap.clone()));
    press(&mut model, "o\u{7f}1K\n");
    assert!(
        matches!(&model.mode, Mode::Prompt(prompt) if prompt.wrong.as_ref().is_some_and(|wrong| wrong.contains("4K")))
    );
    press(&mut model, "\u{7f}4M\n");
    assert_eq!(model.wishes.text(), LINUX.replace("2M", "4M"));
    assert_eq!(model.row(), Some(&Row::Option(heap, "size".into())));
    press(&mut model, "d");
    assert!(model.wishes.text().contains("heap = \"bump\"\n"));
    if model.rows.contains(&Row::NewHeap) {
        go_to(&mut model, &Row::NewHeap);
        press(&mut model, "\nBad\n\u{7f}packets\n\n");
        assert!(model.wishes.text().ends_with("[heaps]\npackets = \"bump\"\n"), "{}", model.wishes.text());
        go_to(&mut model, &part(true, "packets"));
        press(&mut model, "d");
        assert!(!model.wishes.text().contains("packets"));
    }
    go_to(&mut model, &Row::Setting("trace".into()));
    press(&mut model, "\n");
    assert!(model.wishes.text().contains("[settings]\ntrace = "), "{}", model.wishes.text());
}

#[test]
fn system_calls_go_by_family_and_one_by_one() {
    let mut model = model(LINUX);
    let all = model.calls().len();
    press(&mut model, "/getppid\n");
    assert_eq!(model.row(), Some(&Row::Call(110)), "the search opens the family");
    press(&mut model, " ");
    assert_eq!(model.calls().len(), all - 1);
    let text = model.wishes.text();
    assert!(text.contains("\"file\"") && !text.contains("\"getppid\"") && text.contains("\"getpid\""), "{text}");
    assert_eq!(model.outcome.problem, None);
    press(&mut model, " ");
    assert!(!model.wishes.text().contains("system_calls"), "all is what is not said");
    press(&mut model, "h");
    assert!(matches!(model.row(), Some(Row::Family(_))));
    assert!(!model.rows.contains(&Row::Call(110)));
}

#[test]
fn nothing_is_lost_without_a_question() {
    let mut model = model(HELLO);
    assert_eq!(press(&mut model, "q"), Effect::Quit);
    assert_eq!(press(&mut model, "s"), Effect::Nothing);
    choose(&mut model, "console", "none");
    assert_eq!(press(&mut model, "q"), Effect::Nothing);
    assert!(matches!(model.mode, Mode::Ask(Question::Leave)));
    assert_eq!(press(&mut model, "\u{1b}q"), Effect::Nothing);
    assert_eq!(press(&mut model, "s"), Effect::Save { then: Then::Quit, over: false });
    model.was_saved();
    assert_eq!(press(&mut model, "q"), Effect::Quit);
    choose(&mut model, "console", "framed");
    assert_eq!(press(&mut model, "s"), Effect::Nothing, "it does not resolve");
    assert_eq!(press(&mut model, "s"), Effect::Save { then: Then::Stay, over: false });
    assert_eq!(press(&mut model, "b"), Effect::Nothing);
    assert_eq!(press(&mut model, "s"), Effect::Nothing, "what does not resolve is not built");
    assert_eq!(press(&mut model, "qd"), Effect::Quit);
}

#[test]
fn the_screen_tells_all_without_colour() {
    let mut model = model(HELLO);
    go_to(&mut model, &part(false, "console"));
    let shown = screen(&model, 80, 24);
    for words in [
        "hello: a rust image, shown for pc",
        "> console      plain          named",
        "power        reset          default",
        "adds: not built yet (b builds)",
        "resolves: 4 components for pc, ",
        "s save  q quit  ? help",
    ] {
        assert!(shown.contains(words), "{words}\n{shown}");
    }
    choose(&mut model, "console", "framed");
    let shown = screen(&model, 80, 24);
    for words in [", changed", "does not resolve: whittle.toml:8: `framed` is for platform pc, not for"] {
        assert!(shown.contains(words), "{words}\n{shown}");
    }
    press(&mut model, "\n");
    assert!(screen(&model, 80, 24).contains("> (o) framed                 cannot"), "{}", screen(&model, 80, 24));
    press(&mut model, "\u{1b}?");
    assert!(screen(&model, 80, 24).contains("The line at the bottom says what whittle build would say."));
}

#[test]
fn no_keys_and_no_window_make_it_fall() {
    let keys = [
        Key::Up,
        Key::Down,
        Key::Left,
        Key::Right,
        Key::PageUp,
        Key::PageDown,
        Key::Home,
        Key::End,
        Key::Enter,
        Key::Escape,
        Key::Backspace,
        Key::Delete,
        Key::Interrupt,
    ];
    let letters: Vec<char> = "jkhlgGodpnsbq?/[] 1MKa_x,\u{7}\u{4e16}\u{301}".chars().collect();
    let mut state: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % below as u64).unwrap()
    };
    for text in [HELLO, LINUX] {
        for _ in 0..12 {
            let mut model = model(text);
            for _ in 0..150 {
                let index = random(keys.len() + letters.len() + 12);
                let key = keys.get(index).copied().unwrap_or(match letters.get(index - keys.len().min(index)) {
                    Some(letter) => Key::Letter(*letter),
                    None if index % 2 == 0 => Key::Enter,
                    None => Key::Down,
                });
                if matches!(model.press(key), Effect::Save { .. }) {
                    model.was_saved();
                }
                assert!(model.outcome.request.is_some(), "no whittle.toml any more:\n{}", model.wishes.text());
                assert!(model.cursor < model.rows.len());
                if random(8) == 0 {
                    let size = |below| u16::try_from(below).unwrap();
                    screen(&model, size(random(120) + 1), size(random(40) + 1));
                }
            }
        }
    }
}

#[test]
fn an_inspected_image_shows_its_bytes() {
    let mut model = model(HELLO);
    model.measured = Measured::read(
        br#"{"bytes": {"file": 70000}, "components": [{"name": "plain", "crate": "pc", "bytes": 1234, "shared": 0}],
            "written": []}"#,
    );
    go_to(&mut model, &part(false, "console"));
    assert!(model.help().iter().any(|line| line.starts_with("adds: 1 234 bytes of 70 000")), "{:?}", model.help());
}
