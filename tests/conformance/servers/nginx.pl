#!/usr/bin/perl
# nginx as its tests start it, in one process, natively or inside. SUITE_RUN has the words of `whittle run`, one a line,
# and nothing natively. The tests signal the process that `nginx.pid` names. Inside that number would be 1, and on the
# host another's: so nginx writes `inside.pid`, and this script writes its own number and hands the signals on.
use strict;
use warnings;
use POSIX ();

my $nginx = '/usr/sbin/nginx';
my @run = split /\n/, $ENV{SUITE_RUN} // '';
my $is_pc = grep { $_ eq 'pc' } @run;

# Modules that are not loaded for most tests, for each start would load all of them.
my $heavy = qr/ --with-(http_(geoip|image_filter|perl|xslt)|stream_geoip)_module=dynamic/;
if ("@ARGV" eq '-V') {
    my $text = `$nginx -V 2>&1`;
    $text =~ s/$heavy//g unless $ENV{SUITE_ALL_MODULES};
    print $text;
    exit 0;
}

my %option = @ARGV % 2 ? () : @ARGV;
# What is no server: a test of a configuration, a version.
exec $nginx, @ARGV or die "$nginx: $!" unless $option{'-p'} && $option{'-c'};
my ($folder) = $option{'-p'} =~ m!^(.*?)/?$!;
my $globals = ($option{'-g'} // '') =~ s!nginx\.pid!inside.pid!gr;

# Reads the test's configuration and writes that of the one process; answers the ports it listens at.
sub translate {
    open my $file, '<', "$folder/$option{'-c'}" or die "$option{'-c'}: $!";
    my $text = do { local $/; <$file> };
    $text =~ s/^\s*(daemon|master_process)\s+\w+\s*;//mg;
    $text =~ s!nginx\.pid!inside.pid!g;
    my %ports;
    while ($text =~ /^\s*listen\s+(?:[\d.]+:|\*:|\[[\da-f:]+\]:|localhost:)?(\d+)\b([^;]*)/mg) {
        my ($port, $options) = ($1, $2);
        $ports{$port} = $options =~ /\budp\b/ ? "$port/udp" : $port;
    }
    if ($is_pc) {
        # Inside a virtual machine loopback is its own: a published port leads to the other interface, and the host is
        # 10.0.2.2 there.
        $text =~ s/^(\s*listen\s+)127\.0\.0\.1:/$1/mg;
        $text =~ s/127\.0\.0\.1:(\d+)/($ports{$1} ? '127.0.0.1' : '10.0.2.2') . ":$1"/ge;
    }
    open $file, '>', "$folder/$option{'-c'}.inside" or die "$option{'-c'}.inside: $!";
    print $file $text;
    return values %ports;
}

sub published {
    my ($port, $kind) = split m!/!, shift;
    return ('-p', "127.0.0.1:$port:$port" . ($kind ? "/$kind" : ''));
}

my @ports = translate();
my @words = ($nginx, '-p', $option{'-p'}, '-c', "$option{'-c'}.inside", '-e', $option{'-e'} // 'error.log');
push @words, '-g', "$globals daemon off; master_process off;";
my @network = $is_pc ? map { published($_) } @ports : ('--net', 'host');
unshift @words, @run, @network, '-v', "$folder:$folder", '--' if @run;

my $child = fork() // die "fork: $!";
if (!$child) { exec @words or die "$words[0]: $!" }
for my $signal (qw(HUP USR1 USR2 WINCH QUIT TERM INT)) {
    $SIG{$signal} = sub { translate() if $signal eq 'HUP'; kill $signal, $child };
}
my $is_told = 0;
while (waitpid($child, POSIX::WNOHANG()) != $child) {
    if (!$is_told && -s "$folder/inside.pid") {
        open my $file, '>', "$folder/nginx.pid.new" or die "nginx.pid: $!";
        print $file "$$\n";
        close $file;
        $is_told = rename "$folder/nginx.pid.new", "$folder/nginx.pid";
    }
    select undef, undef, undef, 0.02;
}
my $status = $?;
unlink "$folder/nginx.pid";
exit($status & 127 ? 128 + ($status & 127) : $status >> 8);
