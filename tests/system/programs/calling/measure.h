// measure.h: what a call takes.
#pragma once

// Prints how long the machine has run, and for a few calls how long one takes; returns the exit status.
int measure(void);
