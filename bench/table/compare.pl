# Figures of a published document beside ours.
use strict;
use warnings;

my %how = (
    over => sub { my ($x) = @_; return {is => 100 * ($x->{is} - 1), unit => '%', digits => $x->{digits} > 2 ? $x->{digits} - 2 : 0} },
    share => sub { my ($x) = @_; return {%$x, unit => '%'} },
    bytes => sub { my ($x) = @_; return {is => 1024 * $x->{is}, unit => '', digits => 0} },
);

# --- checks -----------------------------------------------------------------------------------------------------------

# Tables exist, and have been run; what has no table has a command.
sub check_tables {
    my ($experiment, $there) = @_;
    my $at = $experiment->{at};
    for my $table (split ' ', $experiment->{tables} // '') {
        $there->{$table} or wrong($at, "make bench has no table '$table'; 'bench/run --list' prints those that it has");
        -e "bench/result/$table.json" or wrong($at, "there is no bench/result/$table.json; run 'make bench TABLES=$table'");
    }
    @{$experiment->{figure}} or wrong($at, "$experiment->{key} has no 'figure'; if it was not run, the last part of one says so");
    my @run = grep { $_->{text} !~ /\| not run$/ } @{$experiment->{figure}};
    !@run || $experiment->{tables} || $experiment->{command} or wrong($at, "$experiment->{key} has neither 'tables' nor a 'command'");
}

sub check_why {
    my ($experiment) = @_;
    for my $row (@{$experiment->{rows}}) {
        $experiment->{why} || $row->{is} !~ /^(worse|not run)$/ or wrong($experiment->{at}, "$experiment->{key} is $row->{is}; say 'why'");
    }
}

# Files that carry out an illustration, or that prove an erratum, exist.
sub check_files {
    my ($record) = @_;
    my $files = $record->{by} // $record->{proof};
    defined $files || $record->{nothing} || $record->{because} || @{$record->{sum}} or wrong($record->{at}, "$record->{key} has neither a file nor a reason");
    -e or wrong($record->{at}, "$record->{key}: there is no $_") for split /, /, $files // '';
}

# EXPRESSION = RESULT: the result is right; of an erratum, "printed OTHER" follows, which is not.
sub check_sums {
    my ($record) = @_;
    for my $sum (@{$record->{sum}}) {
        my ($expression, $result, $printed) = $sum->{text} =~ /^(.+) = ([-\d.]+)%?(?:, printed ([-\d.]+)%?)?$/;
        my $form = defined $expression && $expression =~ m{^(?:[-+*/() .\d]|sqrt|log|exp)+$} && defined $printed == ($record->{type} eq 'erratum');
        $form or wrong($sum->{at}, "'$sum->{text}' is not EXPRESSION = RESULT, and for an erratum ', printed RESULT'");
        my $is = eval $expression // wrong($sum->{at}, "$expression cannot be evaluated");
        my $digits = length(($result =~ /\.(\d+)/)[0] // '');
        sprintf("%.${digits}f", $is) == $result or wrong($sum->{at}, "$expression is " . sprintf("%.${digits}f", $is) . ", not $result");
        !defined $printed || abs($result - $printed) > 1e-9 or wrong($sum->{at}, "$result is what the document has");
    }
}

# --- a figure of theirs and ours --------------------------------------------------------------------------------------

# A row: what, theirs, ours, their ratio, and what ours is; none if ours is missing and the page is partial.
sub compare {
    my ($document, $figure, $page, $partial) = @_;
    my ($what, $theirs, $better, $place, $row, $column) = split / \| /, $figure->{text};
    my $form = defined $better && $better =~ /^(lower|higher|property)$/ && defined $place && ($place eq 'not run' ? !defined $row : defined $column);
    $form or wrong($figure->{at}, "'$figure->{text}' is not WHAT | THEIRS | lower, higher or property | [HOW] SECTION | ROW | COLUMN");
    my $published = $theirs eq 'none' ? undef : number_in($theirs) // wrong($figure->{at}, "'$theirs' is no number; write 'none' if there is none");
    my %row = (what => $what, theirs => $published ? $theirs : 'no number in the text', ratio => 'none');
    return {%row, ours => 'not run', is => 'not run'} if $place eq 'not run';

    my ($section, $ours) = our_number($document, $figure, $page, $place, $row, $column);
    $row{section} = $section;
    if (!$ours) {
        $partial or wrong($figure->{at}, "doc/results.md has no single number in '$section', row '$row', column '$column'; correct the record, or run the table again");
        return;
    }
    return {%row, ours => shown($ours), is => 'ours alone'} if !$published;
    $published->{unit} eq $ours->{unit} or wrong($figure->{at}, "theirs is '$theirs', ours '@{[shown($ours)]}': the units differ");
    return {%row, ours => shown($ours), ratio => ratio($ours->{is}, $published->{is}), is => verdict($ours->{is}, $published, $better)};
}

# The section of a place, and the number there.
sub our_number {
    my ($document, $figure, $page, $place, $row, $column) = @_;
    my $how = $place =~ s/^(over|share|bytes) // ? $1 : undef;
    my ($name, $text) = split / > /, $place, 2;
    my $section = $document->{section}{$name} // wrong($figure->{at}, "there is no section '$name'; name it: section $name = CHAPTER / SECTION");
    my $number = found($page, defined $text ? "$section > $text" : $section, $row, $column);
    return ($section, $number && $how ? $how{$how}->($number) : $number);
}

sub shown {
    my ($x) = @_;
    my $text = sprintf "%.$x->{digits}f", $x->{is};
    1 while $text =~ s/^(-?\d+)(\d{3})/$1,$2/;
    return ($x->{below} // '') . $text . $x->{unit};
}

sub ratio {
    my ($ours, $theirs) = @_;
    return 'none' if $ours < 0 || $theirs <= 0;
    my $x = $ours / $theirs;
    return sprintf $x >= 100 ? '%.0f' : $x >= 0.095 || $x == 0 ? '%.2f' : '%.2g', $x;
}

# Equal is what differs by less than half of the last digit of theirs.
sub verdict {
    my ($ours, $theirs, $better) = @_;
    return 'property' if $better eq 'property';
    return 'equal' if abs($ours - $theirs->{is}) <= 0.5 * 10**-$theirs->{digits};
    return ($ours < $theirs->{is}) == ($better eq 'lower') ? 'better' : 'worse';
}

1;
