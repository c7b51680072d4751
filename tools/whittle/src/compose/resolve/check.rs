//! What a set of components must not be: two for one contract, enemies, or one for what was to stay away.

use super::Resolution;
use crate::failure::Failure;

impl Resolution<'_> {
    pub(super) fn check(&self) -> Result<(), Failure> {
        self.check_doubles()?;
        self.check_exclusions()?;
        self.check_float()?;
        self.check_conflicts()
    }

    fn check_doubles(&self) -> Result<(), Failure> {
        for contract in self.catalogue.contracts.keys() {
            let providers = self.parts.values().filter(|taken| taken.component.provides(contract));
            let names: Vec<&str> = providers.map(|taken| taken.component.name.as_str()).collect();
            if let [one, other, ..] = names[..] {
                let line = self.line_of_either(one, other);
                let sentence =
                    format!("`{one}` and `{other}` both provide {contract}: an image has one provider of it");
                return Err(self.request.wrong(line, &sentence));
            }
        }
        Ok(())
    }

    fn check_exclusions(&self) -> Result<(), Failure> {
        for contract in self.catalogue.contracts.keys() {
            if let Some(line) = self.excluded(contract)
                && let Some(provider) = self.provider(contract)
            {
                let sentence =
                    format!("{contract} is \"none\" here, and `{}`, which is in the image, provides it", provider.name);
                return Err(self.request.wrong(line, &sentence));
            }
        }
        Ok(())
    }

    /// Who enters the kernel in the midst of the application would have to keep its vector registers.
    fn check_float(&self) -> Result<(), Failure> {
        let Some(line) = self.request.hard_float else { return Ok(()) };
        let entries = ["traps", "interrupts"];
        match entries.iter().find_map(|contract| self.provider(contract)) {
            Some(entry) => {
                let sentence = format!(
                    "float is \"hard\", and `{}` is in the image: what interrupts the application does not keep its \
                     vector registers",
                    entry.name
                );
                Err(self.request.wrong(line, &sentence))
            }
            None => Ok(()),
        }
    }

    fn check_conflicts(&self) -> Result<(), Failure> {
        for member in self.members() {
            let enemy = self.members().find(|other| member.conflicts.contains(&other.name));
            if let Some(enemy) = enemy {
                let line = self.line_of_either(&member.name, &enemy.name);
                let sentence = format!("`{}` and `{}` cannot be in the same image", member.name, enemy.name);
                return Err(self.request.wrong(line, &sentence));
            }
        }
        Ok(())
    }

    /// The last line of whittle.toml that names one of two components; 0 if neither is named.
    fn line_of_either(&self, one: &str, other: &str) -> usize {
        let choices = self.request.components.iter().chain(&self.request.heaps);
        let named = choices.filter(|choice| [one, other].contains(&choice.component.value.as_str()));
        named.map(|choice| choice.component.line).max().unwrap_or(0)
    }
}
