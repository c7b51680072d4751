#!/usr/bin/perl
# memcached as its own tests start it, which look for `memcached-debug`: Debian's, natively or inside. SUITE_RUN has the
# words of `whittle run`, one a line, and nothing natively.
use strict;
use warnings;

my $memcached = '/usr/bin/memcached';

# A socket with a name in a directory of the host's is the machine's own, so the tests take ports (see docs/src/limits.md).
if (grep { $_ eq '-h' } @ARGV) {
    print grep { !/unix-socket/ } `$memcached @ARGV`;
    exit 0;
}
# What only memcached's debugging build knows.
my @words;
while (@ARGV) {
    my $word = shift @ARGV;
    if ($word eq '-o' && @ARGV && $ARGV[0] eq 'relaxed_privileges') { shift @ARGV }
    else { push @words, $word }
}
my @run = split /\n/, $ENV{SUITE_RUN} // '';
exec $memcached, @words or die "$memcached: $!" unless @run;

my @options;
for my $name (grep { /^(T_MEMD|MEMCACHED)/ } sort keys %ENV) {
    push @options, '--env', "$name=$ENV{$name}";
    push @options, share($ENV{$name}) if $ENV{$name} =~ m!^/!;
}
my $is_pc = grep { $_ eq 'pc' } @run;
push @options, '--net', 'host' unless $is_pc;
for (0 .. $#words - 1) {
    my ($option, $value) = @words[$_, $_ + 1];
    # Inside a virtual machine loopback is its own: a published port leads to the other interface.
    $words[$_ + 1] =~ s/127\.0\.0\.1/0.0.0.0/g if $is_pc && $option eq '-l';
    # Neither 0, for any port, nor -1, for none, can be published.
    my $kind = $is_pc && $value =~ /^[1-9]/ ? { '-p' => '', '-U' => '/udp' }->{$option} : undef;
    push @options, '-p', "127.0.0.1:$value:$value$kind" if defined $kind;
    push @options, share($value) if $option eq '-Y' || $option eq '-e';
}

# The folder of a file that both read.
sub share {
    my ($folder) = $_[0] =~ m!(.+)/!;
    return ('-v', "$folder:$folder");
}
exec @run, @options, '--', $memcached, @words or die "$run[0]: $!";
