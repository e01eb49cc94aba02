// A journey with go-oidc and x/oauth2: twenty goroutines share a token source, and then a refresh token alone.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc"
	"golang.org/x/oauth2"
)

const crowd = 20

type report struct {
	User    string `json:"user"`
	Subject string `json:"subject"`
	Shared  int    `json:"shared"`
	Answers []int  `json:"answers"`
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// Asks for a token in twenty goroutines at once, and answers how many different access tokens they got.
func distinct(source func() oauth2.TokenSource) (int, *oauth2.Token) {
	var group sync.WaitGroup
	tokens := make([]*oauth2.Token, crowd)
	for i := range tokens {
		group.Add(1)
		go func(i int, source oauth2.TokenSource) {
			defer group.Done()
			token, err := source.Token()
			must(err)
			tokens[i] = token
		}(i, source())
	}
	group.Wait()
	different := map[string]bool{}
	for _, token := range tokens {
		different[token.AccessToken] = true
	}
	return len(different), tokens[0]
}

func main() {
	ctx := context.Background()
	issuer, id, secret, redirect := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	provider, err := oidc.NewProvider(ctx, issuer)
	must(err)
	config := &oauth2.Config{
		ClientID: id, ClientSecret: secret, RedirectURL: redirect,
		Scopes: []string{"PROFILE_READ"}, Endpoint: provider.Endpoint(),
	}
	fmt.Println(config.AuthCodeURL("state"))
	line, err := bufio.NewReader(os.Stdin).ReadString('\n')
	must(err)
	callback, err := url.Parse(strings.TrimSpace(line))
	must(err)
	token, err := config.Exchange(ctx, callback.Query().Get("code"))
	must(err)

	expired := &oauth2.Token{RefreshToken: token.RefreshToken, Expiry: time.Now().Add(-time.Hour)}
	source := config.TokenSource(ctx, expired)
	result := report{}
	result.Shared, token = distinct(func() oauth2.TokenSource { return source })
	expired.RefreshToken = token.RefreshToken
	_, token = distinct(func() oauth2.TokenSource { return config.TokenSource(ctx, expired) })

	for _, access := range []oauth2.TokenSource{source, oauth2.StaticTokenSource(token)} {
		answer, err := oauth2.NewClient(ctx, access).Get(issuer + "/v2/me")
		must(err)
		result.Answers = append(result.Answers, answer.StatusCode)
	}
	info, err := provider.UserInfo(ctx, oauth2.StaticTokenSource(token))
	must(err)
	result.User = info.Subject

	var keys struct {
		URL string `json:"jwks_uri"`
	}
	must(provider.Claims(&keys))
	payload, err := oidc.NewRemoteKeySet(ctx, keys.URL).VerifySignature(ctx, token.AccessToken)
	must(err)
	var claims struct {
		Subject string `json:"sub"`
	}
	must(json.Unmarshal(payload, &claims))
	result.Subject = claims.Subject
	must(json.NewEncoder(os.Stdout).Encode(result))
}
