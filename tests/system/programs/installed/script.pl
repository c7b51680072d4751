# Hashes, sorting, patterns, modules in C, and files.
use strict;
use warnings;
use Digest::SHA qw(sha256_hex);
use File::Temp qw(tempdir);
use List::Util qw(sum);
use POSIX qw(floor strftime);
use Time::HiRes qw(sleep time);

my %squares = map { $_ => $_**2 } 1 .. 9;
print join(',', map { "$_=$squares{$_}" } sort { $b <=> $a } keys %squares), "\n";
my $folder = tempdir(CLEANUP => 1);
open(my $file, '>', "$folder/file") or die $!;
print $file "$_\n" for 1 .. 1000;
close($file);
open($file, '<', "$folder/file") or die $!;
print sum(<$file>), ' ', -s "$folder/file", ' ', join(',', map { s{.*/}{}r } glob("$folder/*")), "\n";
print sha256_hex('again ' x 1000), ' ', floor(2.7), ' ', strftime('%Y', gmtime(0)), "\n";
my $before = time;
sleep 0.02;
print time - $before >= 0.02 ? 'slept' : 'woke early', ' ', 'a1b22' =~ s/\d+/#/gr, " $^V\n";
print -e '/nothing' ? 'there' : "$!", "\n";
