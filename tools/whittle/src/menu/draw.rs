//! The screen: rows on the left, help on the right, what `build` would say at the bottom. Colour says nothing that
//! words do not.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Block, Borders, Paragraph, Wrap};

use super::choices::Chooser;
use super::help::KEYS;
use super::model::{Mode, Model, Purpose, Question};
use super::rows::Row;

/// Columns of the left half.
const LEFT: u16 = 43;

/// Fewer columns than this show the left half alone.
const NARROW: u16 = 60;

/// Draws the menu.
pub fn draw(model: &Model, colour: bool, frame: &mut Frame<'_>) {
    let area = frame.area();
    let foot = foot(model, colour);
    let foot_rows = wrapped_rows(&foot, area.width).min(area.height / 3).max(1);
    let rows = [Constraint::Length(1), Constraint::Min(0), Constraint::Length(foot_rows), Constraint::Length(1)];
    let [head, body, foot_area, keys] = Layout::vertical(rows).areas(area);
    frame.render_widget(Paragraph::new(title(model)).style(Modifier::BOLD), head);
    if matches!(model.mode, Mode::Help) {
        frame.render_widget(Paragraph::new(KEYS).block(Block::new().borders(Borders::TOP | Borders::BOTTOM)), body);
    } else {
        draw_body(model, frame, body);
    }
    frame.render_widget(Paragraph::new(foot).wrap(Wrap { trim: false }), foot_area);
    frame.render_widget(Paragraph::new(keys_of(model)).style(Modifier::DIM), keys);
}

fn draw_body(model: &Model, frame: &mut Frame<'_>, area: Rect) {
    let block = Block::new().borders(Borders::TOP | Borders::BOTTOM);
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let left = if area.width < NARROW { area.width } else { LEFT };
    let [left, right] = Layout::horizontal([Constraint::Length(left), Constraint::Min(0)]).areas(inner);
    let (lines, cursor) = match &model.mode {
        Mode::Choose(chooser) => choice_lines(chooser),
        _ => (row_lines(model), model.cursor),
    };
    let height = usize::from(left.height);
    let top = cursor.saturating_sub(height / 2).min(lines.len().saturating_sub(height));
    let seen: Vec<Line<'_>> = lines.into_iter().skip(top).take(height).collect();
    frame.render_widget(Paragraph::new(seen), left);
    draw_help(model, frame, right);
}

fn draw_help(model: &Model, frame: &mut Frame<'_>, area: Rect) {
    let block = Block::new().borders(Borders::LEFT);
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let mut lines: Vec<Line<'_>> = model.help().into_iter().map(Line::from).collect();
    if let Some(first) = lines.first_mut() {
        *first = first.clone().style(Modifier::BOLD);
    }
    let most = wrapped_rows(&Text::from(lines.clone()), inner.width).saturating_sub(inner.height);
    let scrolled = model.scrolled.min(most);
    frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }).scroll((scrolled, 0)), inner);
    if scrolled < most && inner.height > 0 {
        let last = Rect { y: inner.bottom() - 1, height: 1, ..inner };
        frame.render_widget(Paragraph::new("... ] scrolls").style(Modifier::DIM), last);
    }
}

fn title(model: &Model) -> String {
    let changed = if model.changed() { ", changed" } else { "" };
    format!("{}: a {} image, shown for {}{changed}", model.name, model.kind, model.platform())
}

fn row_lines(model: &Model) -> Vec<Line<'static>> {
    let line = |(index, row): (usize, &Row)| {
        let shown = model.shown(row);
        if matches!(row, Row::Heading(_)) {
            return Line::styled(shown.name, Modifier::BOLD);
        }
        let text = format!("{:<12} {:<14} {}", shown.name, shown.value, shown.why);
        under_cursor(&text, index == model.cursor)
    };
    model.rows.iter().enumerate().map(line).collect()
}

/// The choices, and the line of the one under the cursor.
fn choice_lines(chooser: &Chooser) -> (Vec<Line<'static>>, usize) {
    let mut lines = vec![Line::styled(format!("{}: choose", chooser.target.name), Modifier::BOLD)];
    for (index, choice) in chooser.choices.iter().enumerate() {
        let now = if choice.pick == chooser.current { "(o)" } else { "( )" };
        let verdict = match &choice.problem {
            Some(_) => String::from("cannot"),
            None if choice.comes.is_empty() && choice.goes.is_empty() => String::new(),
            None => format!("+{} -{}", choice.comes.len(), choice.goes.len()),
        };
        let text = format!("{now} {:<22} {verdict}", choice.pick.name());
        lines.push(under_cursor(&text, index == chooser.cursor));
    }
    (lines, chooser.cursor + 1)
}

fn under_cursor(text: &str, here: bool) -> Line<'static> {
    let style = if here { Style::new().add_modifier(Modifier::REVERSED) } else { Style::new() };
    Line::styled(format!("{} {text}", if here { '>' } else { ' ' }), style)
}

/// What `build` would say, or what is asked.
fn foot(model: &Model, colour: bool) -> Text<'static> {
    match &model.mode {
        Mode::Prompt(prompt) => {
            let what = match &prompt.purpose {
                Purpose::Search(_) => String::from("search"),
                Purpose::Option(_, option) => option.clone(),
                Purpose::Setting(name) => name.clone(),
                Purpose::HeapName => String::from("name of the heap"),
            };
            let wrong = prompt.wrong.as_ref().map(|wrong| format!("   {wrong}")).unwrap_or_default();
            Text::from(format!("{what}: {}_{wrong}", prompt.text))
        }
        Mode::Ask(question) => Text::styled(asked(*question), Modifier::BOLD),
        _ => verdict(model, colour),
    }
}

fn verdict(model: &Model, colour: bool) -> Text<'static> {
    let sign = if model.outcome.problem.is_some() { Color::Red } else { Color::Green };
    let style = if colour { Style::new().fg(sign) } else { Style::new() };
    let mut text = Text::from(Span::styled(model.outcome.verdict(), style));
    if let Some(message) = &model.message {
        text.push_line(message.clone());
    }
    text
}

fn asked(question: Question) -> &'static str {
    match question {
        Question::Leave => "There are changes that are not saved. s saves them and quits, d drops them, Escape stays.",
        Question::SaveUnresolved(_) => "This image does not resolve. s saves it all the same, Escape goes back.",
        Question::Overwrite(_) => {
            "whittle.toml has been changed by another program since it was opened. s writes over that, Escape goes back."
        }
        Question::SaveToBuild => "There are changes that are not saved. s saves them and builds, Escape goes back.",
    }
}

fn keys_of(model: &Model) -> &'static str {
    match &model.mode {
        Mode::Browse => "Enter choose  o option  d default  / search  b build  s save  q quit  ? help",
        Mode::Choose(_) => "Enter takes it  Escape goes back  [ ] scroll the text",
        Mode::Prompt(_) => "Enter takes it  Escape goes back  Delete empties the line",
        Mode::Ask(_) => "",
        Mode::Help => "any key goes back",
    }
}

/// How many rows a text takes at a width.
fn wrapped_rows(text: &Text<'_>, width: u16) -> u16 {
    let rows = text.lines.iter().map(|line| words_in_rows(&line.to_string(), usize::from(width.max(1))));
    u16::try_from(rows.sum::<usize>()).unwrap_or(u16::MAX)
}

/// How many rows the words of a line take, as the paragraph breaks them.
fn words_in_rows(line: &str, width: usize) -> usize {
    let (mut rows, mut column) = (1, 0);
    for word in line.split(' ') {
        let length = Span::raw(word).width();
        let with_space = if column == 0 { length } else { column + 1 + length };
        if with_space <= width {
            column = with_space;
        } else if length <= width {
            rows += usize::from(column > 0);
            column = length;
        } else {
            rows += usize::from(column > 0) + (length - 1) / width;
            column = (length - 1) % width + 1;
        }
    }
    rows
}
