//! Contract `nic`: see [`nic::Nics`].

slot!(nic_element::nic, provide_nic);

/// The image's network interfaces, for whoever takes any [`Nics`].
#[derive(Clone, Copy, Debug)]
pub struct Provided;

impl Nics for Provided {
    fn count(&self) -> usize {
        count()
    }

    fn attributes(&self, nic: usize) -> Option<Attributes> {
        attributes(nic)
    }

    fn receive(&self, nic: usize, queue: usize, packets: &mut Burst, most: usize) -> Result<usize, Error> {
        receive(nic, queue, packets, most)
    }

    fn receive_or_take(
        &self,
        nic: usize,
        queue: usize,
        packets: &mut Burst,
        most: usize,
        take: &mut Take<'_>,
    ) -> Result<usize, Error> {
        receive_or_take(nic, queue, packets, most, take)
    }

    fn send(&self, nic: usize, queue: usize, packets: &mut Burst) -> Result<usize, Error> {
        send(nic, queue, packets)
    }

    fn set_interrupts(&self, nic: usize, queue: usize, wanted: Interrupts) -> bool {
        set_interrupts(nic, queue, wanted)
    }

    fn is_up(&self, nic: usize) -> bool {
        is_up(nic)
    }

    fn set_filter(&self, nic: usize, filter: Filter) -> Result<(), Error> {
        set_filter(nic, filter)
    }
}
