//! Names of programs stand in a page as text, whatever letters they have.

/// Text as contents of an element or an attribute in quotes.
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            // A page may not hold them; they would stand for nothing readable.
            letter if letter.is_control() => escaped.push('\u{fffd}'),
            letter => escaped.push(letter),
        }
    }
    escaped
}

/// JSON as contents of a script element, which no text inside can end.
#[must_use]
pub fn in_script(json: &str) -> String {
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_becomes_markup() {
        assert_eq!(escaped(r#"<b a="1" c='2'>&"#), "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;");
        assert_eq!(escaped("a\0b\u{1b}[1m"), "a\u{fffd}b\u{fffd}[1m");
        let script = in_script(&serde_json::to_string("</script><!--").unwrap());
        assert!(!script.contains('<'));
        assert_eq!(serde_json::from_str::<String>(&script).unwrap(), "</script><!--");
    }
}
