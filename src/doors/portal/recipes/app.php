<?php
function random(): string
{
    return rtrim(strtr(base64_encode(random_bytes(32)), '+/', '-_'), '=');
}

function request(array $options): array
{
    $curl = curl_init();
    curl_setopt_array($curl, $options + [CURLOPT_RETURNTRANSFER => true, CURLOPT_TIMEOUT => 10]);
    $body = curl_exec($curl);
    if ($body === false) {
        throw new Exception(curl_error($curl));
    }
    $answer = json_decode($body, true, 512, JSON_THROW_ON_ERROR);
    if (curl_getinfo($curl, CURLINFO_RESPONSE_CODE) !== 200) {
        throw new Exception($body);
    }
    return $answer;
}

// A public app has no secret, and sends none.
function token(array $fields): array
{
    $credentials = ['client_id' => '{{clientId}}', 'client_secret' => getenv('CLIENT_SECRET') ?: null];
    return request([
        CURLOPT_URL => '{{tokenEndpoint}}',
        CURLOPT_POSTFIELDS => http_build_query($fields + $credentials),
    ]);
}

$redirectUri = '{{redirectUri}}';
$verifier = random();
$state = random();
$url = '{{authorizationEndpoint}}?' . http_build_query([
    'response_type' => 'code',
    'client_id' => '{{clientId}}',
    'redirect_uri' => $redirectUri,
    'scope' => '{{scope}}',
    'state' => $state,
    'code_challenge' => rtrim(strtr(base64_encode(hash('sha256', $verifier, true)), '+/', '-_'), '='),
    'code_challenge_method' => 'S256',
]);
echo "Open this address:\n$url\nPaste the address that you were sent back to:\n";
parse_str((string) parse_url(trim(fgets(STDIN)), PHP_URL_QUERY), $callback);
if (($callback['state'] ?? '') !== $state || !isset($callback['code'])) {
    throw new Exception('not the answer to this request');
}
$tokens = token([
    'grant_type' => 'authorization_code',
    'code' => $callback['code'],
    'redirect_uri' => $redirectUri,
    'code_verifier' => $verifier,
]);
// Later, when the access token has expired. Keep the new refresh token, too.
$tokens = token(['grant_type' => 'refresh_token', 'refresh_token' => $tokens['refresh_token']]);
$me = request([
    CURLOPT_URL => '{{api}}/v2/me',
    CURLOPT_HTTPHEADER => ["Authorization: Bearer {$tokens['access_token']}"],
]);
echo json_encode($me), "\n";
