# Blocks of a page, cut at every tag but links: HTML on the standard input, a JSON list on the standard output.
use strict;
use warnings;
use JSON::PP;

binmode STDIN, ':encoding(UTF-8)';
my $html = do { local $/; <STDIN> };
$html =~ s/<!--.*?-->//gs;
$html =~ s{<(script|style|title)\b.*?</\1>}{}gis;
$html =~ s{</?a\b[^>]*>}{}gi;
my %names = (amp => '&', lt => '<', gt => '>', raquo => "\x{bb}", nbsp => ' ');
my @blocks;
for my $text (split /<[^>]*>/, $html) {
    $text =~ s/&(\w+);/$names{$1} \/\/ "&$1;"/ge;
    $text =~ s/^\s+|\s+$//g;
    $text =~ s/\s+/ /g;
    push @blocks, $text if length $text;
}
print JSON::PP->new->utf8->encode(\@blocks);
