package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"log"
	"net/url"
	"os"
	"strings"

	"golang.org/x/oauth2"
)

func random() string {
	bytes := make([]byte, 32)
	if _, err := rand.Read(bytes); err != nil {
		log.Fatal(err)
	}
	return base64.RawURLEncoding.EncodeToString(bytes)
}

func main() {
	ctx := context.Background()
	config := &oauth2.Config{
		ClientID:     "{{clientId}}",
		ClientSecret: os.Getenv("CLIENT_SECRET"),
		RedirectURL:  "{{redirectUri}}",
		Scopes:       strings.Fields("{{scope}}"),
		Endpoint: oauth2.Endpoint{
			AuthURL:  "{{authorizationEndpoint}}",
			TokenURL: "{{tokenEndpoint}}",
		},
	}
	verifier, state := random(), random()
	hash := sha256.Sum256([]byte(verifier))
	fmt.Println("Open this address:")
	fmt.Println(config.AuthCodeURL(state,
		oauth2.SetAuthURLParam("code_challenge", base64.RawURLEncoding.EncodeToString(hash[:])),
		oauth2.SetAuthURLParam("code_challenge_method", "S256")))
	fmt.Println("Paste the address that you were sent back to:")
	line, _ := bufio.NewReader(os.Stdin).ReadString('\n')
	callback, err := url.Parse(strings.TrimSpace(line))
	if err != nil || callback.Query().Get("state") != state {
		log.Fatal("not the answer to this request")
	}
	token, err := config.Exchange(ctx, callback.Query().Get("code"),
		oauth2.SetAuthURLParam("code_verifier", verifier))
	if err != nil {
		log.Fatal(err)
	}

	// The client refreshes when the access token has expired, as here, where it is left out.
	client := config.Client(ctx, &oauth2.Token{RefreshToken: token.RefreshToken})
	me, err := client.Get("{{api}}/v2/me")
	if err != nil {
		log.Fatal(err)
	}
	io.Copy(os.Stdout, me.Body)
}
