package signup

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"testing"
)

type Burrow struct {
	Host          string `json:"url"`
	ProjectAPIKey string `json:"projectApiKey"`
	Key           string `json:"personalApiKey"`
}

type Event struct {
	Event      string         `json:"event"`
	DistinctID string         `json:"distinct_id"`
	Properties map[string]any `json:"properties"`
}

type Captured struct {
	Results []Event `json:"results"`
	Nearest []struct {
		Event       Event    `json:"event"`
		Differences []string `json:"differences"`
	} `json:"nearest"`
}

var burrow Burrow

func TestMain(m *testing.M) {
	command := os.Getenv("BURROW")
	if command == "" {
		command = "burrow"
	}
	server := exec.Command(command, "serve", "--ephemeral", "--port", "0", "--json", "--exit-with-stdin")
	// It ends with this process, however that ends: then its standard input is closed.
	stdin, _ := server.StdinPipe()
	stdout, _ := server.StdoutPipe()
	if err := server.Start(); err != nil {
		panic(err)
	}
	line, _ := bufio.NewReader(stdout).ReadBytes('\n')
	if err := json.Unmarshal(line, &burrow); err != nil {
		panic(err)
	}
	code := m.Run()
	stdin.Close()
	server.Wait()
	os.Exit(code)
}

func (b Burrow) call(t *testing.T, method, path string, query url.Values, body, answer any) {
	t.Helper()
	text, _ := json.Marshal(body)
	request, _ := http.NewRequest(method, b.Host+"/_test/"+path+"/?"+query.Encode(), bytes.NewReader(text))
	request.Header.Set("Authorization", "Bearer "+b.Key)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	content, _ := io.ReadAll(response.Body)
	if response.StatusCode != http.StatusOK {
		t.Fatalf("%s %s: %s", method, path, content)
	}
	if answer != nil {
		if err := json.Unmarshal(content, answer); err != nil {
			t.Fatal(err)
		}
	}
}

func (b Burrow) Reset(t *testing.T) {
	t.Helper()
	b.call(t, "POST", "reset", nil, map[string]any{}, nil)
}

func (b Burrow) WaitFor(t *testing.T, event string, properties map[string]any) Event {
	t.Helper()
	text, _ := json.Marshal(properties)
	query := url.Values{"event": {event}, "properties": {string(text)}, "count": {"1"}, "timeout_ms": {"5000"}}
	var found Captured
	b.call(t, "GET", "events", query, nil, &found)
	if len(found.Results) == 0 {
		near := ""
		for _, one := range found.Nearest {
			near += fmt.Sprintf("\n  %s: %v", one.Event.Event, one.Differences)
		}
		t.Fatalf("no event %s with %s; the nearest:%s", event, text, near)
	}
	return found.Results[0]
}
