require "digest"
require "oauth2"
require "securerandom"
require "uri"

app = OAuth2::Client.new(
  "{{clientId}}",
  ENV["CLIENT_SECRET"],
  site: "{{api}}",
  authorize_url: "{{authorizationEndpoint}}",
  token_url: "{{tokenEndpoint}}"
)
redirect_uri = "{{redirectUri}}"
verifier = SecureRandom.urlsafe_base64(32)
state = SecureRandom.urlsafe_base64(32)
puts "Open this address:", app.auth_code.authorize_url(
  redirect_uri: redirect_uri,
  scope: "{{scope}}",
  state: state,
  code_challenge: Digest::SHA256.base64digest(verifier).tr("+/", "-_").delete("="),
  code_challenge_method: "S256"
)
puts "Paste the address that you were sent back to:"
$stdout.flush
callback = URI.decode_www_form(URI.parse(gets.strip).query).to_h
raise "not the answer to this request" unless callback["state"] == state

token = app.auth_code.get_token(callback["code"], redirect_uri: redirect_uri, code_verifier: verifier)
# Later, when the access token has expired. Keep the new refresh token, too.
token = token.refresh!
puts token.get("/v2/me").body
