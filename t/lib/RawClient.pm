# A client of a walsender that speaks the protocol itself, byte by byte: it can
# do what no library lets a client do.
package RawClient;

use strict;
use warnings FATAL => 'all';

use IO::Select;
use IO::Socket::UNIX;
use PostgreSQL::Test::Utils;

# Connects to a server's socket as somebody.  A first message that is an error
# is kept for start().
sub new
{
	my ($class, $node, %arg) = @_;
	my $path = $node->host . '/.s.PGSQL.' . $node->port;
	my $socket = IO::Socket::UNIX->new(Peer => $path)
	  or die "cannot connect to $path: $!";
	my $self = bless { socket => $socket, input => '', notices => '' }, $class;
	my %startup = (
		user => $arg{user} // $ENV{PGUSER} // scalar getpwuid($>),
		database => $arg{database} // 'postgres',
		replication => 'database');

	$startup{options} = $arg{options} if $arg{options};
	my $content = pack('N', 3 << 16) . join('', map { "$_\0" } %startup) . "\0";
	$self->write(pack('N', 4 + length $content) . $content);
	$self->{refused} = $self->skip_to(qr/[ZE]/);
	return $self;
}

# Sends bytes as they are; how many went before the server would not have more.
sub write
{
	my ($self, $bytes) = @_;
	local $SIG{PIPE} = 'IGNORE';
	my $end = time + $PostgreSQL::Test::Utils::timeout_default;
	my $sent = 0;

	$self->{socket}->blocking(0);
	while ($sent < length $bytes && time < $end)
	{
		my $count = syswrite $self->{socket}, $bytes, 1 << 16, $sent;
		if (defined $count)
		{
			$sent += $count;
		}
		else
		{
			last unless $!{EAGAIN};
			IO::Select->new($self->{socket})->can_write(1);
		}
	}
	$self->{socket}->blocking(1);
	return $sent;
}

# Sends a message.
sub send_message
{
	my ($self, $type, $content) = @_;
	return $self->write($type . pack('N', 4 + length $content) . $content);
}

# Waits until so many bytes are there; false if the connection ends before.
sub fill
{
	my ($self, $count) = @_;

	while (length $self->{input} < $count)
	{
		IO::Select->new($self->{socket})
		  ->can_read($PostgreSQL::Test::Utils::timeout_default)
		  or die 'timed out waiting for the server';
		sysread $self->{socket}, $self->{input}, 1 << 16, length $self->{input}
		  or return 0;
	}
	return 1;
}

# The next message, as type and content; an empty type at the end.
sub read_message
{
	my ($self) = @_;

	return ('', '') unless $self->fill(5);
	my ($type, $length) = unpack 'aN', $self->{input};
	return ('', '') unless $self->fill(1 + $length);
	my $content = substr $self->{input}, 5, $length - 4;
	substr $self->{input}, 0, 1 + $length, '';
	return ($type, $content);
}

# Severity, SQLSTATE and text of an error or notice.
sub fields
{
	my ($content) = @_;
	my %field = map { /^(.)(.*)/s ? ($1 => $2) : () } split /\0/, $content;
	return "$field{V}: $field{C}: $field{M}";
}

# Reads up to a message of the types given: empty, or the error it is.
sub skip_to
{
	my ($self, $types) = @_;

	while (1)
	{
		my ($type, $content) = $self->read_message;
		return 'end' if $type eq '';
		return fields($content) if $type eq 'E';
		$self->{notices} .= fields($content) . "\n" if $type eq 'N';
		return '' if $type =~ $types;
	}
}

# Starts to stream with options given as pairs.  Empty, or the error it is.
sub start
{
	my ($self, $slot, @options) = @_;
	my @pairs;

	return $self->{refused} if $self->{refused};
	while (my ($name, $value) = splice @options, 0, 2)
	{
		push @pairs, '"' . $name =~ s/"/""/gr . q{" '} . $value =~ s/'/''/gr . q{'};
	}
	$self->send_message('Q',
		"START_REPLICATION SLOT \"$slot\" LOGICAL 0/0 (" . join(', ', @pairs) . ")\0");
	return $self->skip_to(qr/W/);
}

# Waits for the first message of the plugin, or for the sign that there is none
# up to a position.  Empty, or the error it is.
sub first_change
{
	my ($self, $end) = @_;

	while (1)
	{
		my ($type, $content) = $self->read_message;
		return 'end' if $type eq '';
		return fields($content) if $type eq 'E';
		$self->{notices} .= fields($content) . "\n" if $type eq 'N';
		return '' if $content =~ /^w/;
		return '' if $content =~ /^k/ && unpack('x Q>', $content) >= $end;
	}
}

# The plugin's messages up to and with the first that matches.
sub messages_to
{
	my ($self, $last) = @_;
	my @messages;

	while (1)
	{
		my ($type, $content) = $self->read_message;
		die $type eq 'E' ? fields($content) : "unexpected '$type'" unless $type eq 'd';
		next unless $content =~ /^w/;
		push @messages, substr $content, 25;
		return @messages if $messages[-1] =~ $last;
	}
}

# A status reply that confirms nothing, unless a position is given.
sub reply
{
	my ($position, $asks) = @_;
	my $content = 'r' . pack('Q>3Q>C', ($position // 0) x 3, 0, $asks // 0);
	return 'd' . pack('N', 4 + length $content) . $content;
}

# Ends the connection, at once and without a word.
sub close
{
	my ($self) = @_;
	return $self->{socket}->close;
}

1;
