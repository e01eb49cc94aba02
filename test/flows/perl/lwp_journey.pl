# A journey with LWP::Authen::OAuth2: exchange, API call, refresh of a stored token that has expired, and the call again.
use strict;
use warnings;
use JSON::PP;
use LWP::Authen::OAuth2;
use URI;

my ($url, $client_id, $client_secret, $redirect_uri) = @ARGV;
$| = 1;

my $saved;
my %app = (
    client_id => $client_id,
    client_secret => $client_secret,
    redirect_uri => $redirect_uri,
    authorization_endpoint => "$url/auth/oauth2/authorize",
    token_endpoint => "$url/v2/auth/oauth2/token",
    scope => "PROFILE_READ",
    save_tokens => sub { $saved = shift },
);
my $oauth2 = LWP::Authen::OAuth2->new(%app);
print $oauth2->authorization_url(state => "state"), "\n";
chomp(my $callback = <STDIN>);
my %answer = URI->new($callback)->query_form;
$oauth2->request_tokens(code => $answer{code});
my $first = decode_json($saved);
my $me = decode_json($oauth2->get("$url/v2/me")->decoded_content);

my $later = LWP::Authen::OAuth2->new(%app, token_string => encode_json({%$first, create_time => 1}));
my $again = $later->get("$url/v2/me");
print encode_json({
    user => $me->{data}{id},
    scope => $first->{scope},
    rotated => decode_json($saved)->{refresh_token} ne $first->{refresh_token} ? JSON::PP::true : JSON::PP::false,
    again => 0 + $again->code,
}), "\n";
