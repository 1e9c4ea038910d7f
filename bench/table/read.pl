# Reading a page of results, as bench/tables prints it: sections, tables and cells.
use strict;
use warnings;

# A page: for each section "CHAPTER" or "CHAPTER / SECTION" its anchor and its lines.
sub read_page {
    my ($file) = @_;
    open my $in, '<', $file or wrong($file, "cannot be read: $!");
    my (%page, %seen, $chapter, $section);
    while (<$in>) {
        chomp;
        if (my ($level, $title) = /^(##+) (.*)/) {
            $chapter = $title if $level eq '##';
            my $slug = anchor_of($title);
            my $anchor = $slug . ($seen{$slug}++ ? '-' . ($seen{$slug} - 1) : '');
            $section = $level eq '##' ? $title : ($chapter // '') . " / $title";
            $page{$section} = {anchor => $anchor, title => $title, lines => []};
        } elsif (defined $section) {
            push @{$page{$section}{lines}}, $_;
        }
    }
    return \%page;
}

# What a heading is called in links, but for headings that occur again.
sub anchor_of { return lc($_[0]) =~ s/[^\w -]//gr =~ tr/ /-/r }

# A section, or if another table begins its chapter, which is not in every run, the one of its title: if the title is
# unique, on this page and on the page of all tables.
sub section_of {
    my ($page, $section) = @_;
    return $page->{$section} if $page->{$section};
    my ($title) = $section =~ m{ / (.+)$} or return;
    my @there = with_title($page, $title);
    return @there == 1 && with_title(all_tables(), $title) < 2 ? $there[0] : undef;
}

sub with_title {
    my ($page, $title) = @_;
    return grep { $_->{title} eq $title } values %$page;
}

my $all_tables;
sub all_tables { return $all_tables //= read_page('doc/results.md') }

# The lines of "SECTION" or "SECTION > TEXT": those after the first that begins with TEXT.
sub lines_of {
    my ($page, $place) = @_;
    my ($section, $text) = split / > /, $place, 2;
    my $there = section_of($page, $section) or return;
    my @lines = @{$there->{lines}};
    return @lines if !defined $text;
    shift @lines while @lines && index($lines[0], $text) != 0;
    return @lines;
}

# All tables among lines: heads and rows of cells. An empty first cell is that of the row above, and such a row is
# unnamed. In "frequency: 128 | 512 | misses: 128", the second head is "frequency: 512".
sub tables_in {
    my (@tables, $open);
    for (@_) {
        if (!/^\|/) {
            undef $open;
            next;
        }
        next if /^\| ---/;
        my @cells = map { s/^\s+|\s+$//gr } split /\|/, s/^\|//r =~ s/\|\s*$//r, -1;
        if (!$open) {
            push @tables, $open = {heads => [full_heads(@cells)], raw => [@cells], rows => []};
        } else {
            my $named = $cells[0] ne '';
            $cells[0] = $named ? $cells[0] =~ s/^[*`]+|[*`]+$//gr : @{$open->{rows}} ? $open->{rows}[-1]{cells}[0] : '';
            push @{$open->{rows}}, {named => $named, cells => [@cells]};
        }
    }
    return @tables;
}

sub full_heads {
    my $group;
    return map {
        $group = $1 if /^(.*?: )/;
        /: / || !defined $group ? $_ : "$group$_"
    } @_;
}

# The number of the column with this head, whole or as printed, or "#NUMBER"; undefined if there is none, or several.
sub column_of {
    my ($table, $head) = @_;
    return $1 <= @{$table->{heads}} ? $1 - 1 : undef if $head =~ /^#(\d+)$/;
    for my $heads (@$table{qw(heads raw)}) {
        my @at = grep { $heads->[$_] eq $head } 0 .. $#$heads;
        return $at[0] if @at == 1;
    }
    return;
}

# Rows that sum up others.
my $summary = qr/^(all|average|worst|geometric mean|mean|mean, (chosen|held|held back))$/;

# The cells of rows "NAME", "NAME / SECOND CELL", or of "all rows" and "named rows", which no summary is among.
sub cells_at {
    my ($table, $row, $column) = @_;
    my ($first, $second) = split m{ / }, $row, 2;
    my @rows = grep {
        my ($name, $next) = @{$_->{cells}};
        $row eq 'all rows' || $row eq 'named rows' ? $name !~ $summary && ($_->{named} || $row eq 'all rows')
            : $name eq $first && (!defined $second || $next eq $second)
    } @{$table->{rows}};
    # A run of one program has no summary: its row is all there is.
    @rows = @{$table->{rows}} if !@rows && $row =~ $summary && @{$table->{rows}} == 1;
    return map { $_->{cells}[$column] } @rows;
}

# A number and its unit, of text such as "1.07 (1.02-1.13)", "> 80%", "16,026,379,363"; nothing if there is none.
sub number_in {
    my ($text) = @_;
    my ($number, $unit) = $text =~ /(-?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?)(%?)/ or return;
    my ($decimals) = $number =~ /\.(\d+)/;
    return {is => $number =~ tr/,//dr, unit => $unit, digits => length($decimals // ''), below => $text =~ /^</ ? '< ' : ''};
}

# What the place says: the text with a # for the number, or with two, of which the smaller is a part of the other.
sub said {
    my ($page, $place, $text) = @_;
    my $pattern = join '(\d[\d,.]*)', map { quotemeta } split /#/, $text, -1;
    my ($line) = grep { /$pattern/ } lines_of($page, $place);
    return if !defined $line;
    my @of = sort { $a <=> $b } map { tr/,//dr } $line =~ /$pattern/;
    return @of == 1 ? number_in($of[0]) : {is => 100 * $of[0] / $of[1], unit => '%', digits => 1};
}

my %statistic = (
    mean => sub { my $sum = 0; $sum += $_ for @_; return $sum / @_ },
    median => sub { my @x = sort { $a <=> $b } @_; return ($x[$#x / 2] + $x[@x / 2]) / 2 },
    most => sub { return (sort { $b <=> $a } @_)[0] },
    least => sub { return (sort { $a <=> $b } @_)[0] },
);

# The number at a place, a row and a column; or undefined, if there is none. Rows may be "STATISTIC of ROWS" or "A divided
# by B", columns "A minus B"; and "says" as a row has its text as column.
sub found {
    my ($page, $place, $row, $column) = @_;
    return said($page, $place, $column) if $row eq 'says';
    if (my @both = $column =~ /^(.+) minus (.+)$/) {
        my ($x, $y) = map { found($page, $place, $row, $_) } @both;
        return $x && $y ? {%$x, is => $x->{is} - $y->{is}} : undef;
    }
    if (my @both = $row =~ /^(.+) divided by (.+)$/) {
        my ($x, $y) = map { found($page, $place, $_, $column) } @both;
        return $x && $y && $y->{is} ? {is => $x->{is} / $y->{is}, unit => '', digits => 2} : undef;
    }
    my ($statistic, $rows) = $row =~ /^(mean|median|most|least) of (.+)/;
    for my $table (tables_in(lines_of($page, $place))) {
        my $at = column_of($table, $column) // next;
        my @numbers = grep { $_ } map { number_in($_) } cells_at($table, $rows // $row, $at);
        next if !@numbers;
        return @numbers == 1 ? $numbers[0] : undef if !$statistic;
        my ($digits) = sort { $b <=> $a } map { $_->{digits} } @numbers;
        $digits ||= 1 if $statistic eq 'mean';
        return {is => $statistic{$statistic}->(map { $_->{is} } @numbers), unit => $numbers[0]{unit}, digits => $digits};
    }
    return;
}

1;
