//! Images of one processor: those whose kind has no system-call layer, which alone knows what to do with others.

use super::super::parameter::Value;
use super::Resolution;
use crate::failure::Failure;

/// The contract of a system-call layer, and the option of schedulers.
const LAYER: &str = "application";
const OPTION: &str = "processors";

impl Resolution<'_> {
    /// Has the scheduler of an image of one processor serve one, and refuses more.
    pub(super) fn fit_processors(&mut self) -> Result<(), Failure> {
        let known = self.catalogue.contracts.contains_key(LAYER);
        if !known || self.provider(LAYER).is_some() {
            return Ok(());
        }
        let (request, one) = (self.request, Value::Number(1));
        for taken in self.parts.values_mut().filter(|taken| taken.component.options.contains_key(OPTION)) {
            if taken.options.entry(OPTION.to_owned()).or_insert_with(|| one.clone()) == &one {
                continue;
            }
            let name = &taken.component.name;
            let line = request.components.iter().find(|choice| choice.component.value == *name);
            let sentence = format!(
                "`{name}` has several processors, and an image of kind `{}` has one: write `{OPTION} = 1`, or leave it out",
                request.kind.value
            );
            return Err(request.wrong(line.map_or(0, |choice| choice.component.line), &sentence));
        }
        Ok(())
    }
}
