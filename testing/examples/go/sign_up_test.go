package signup

import (
	"bytes"
	"encoding/json"
	"net/http"
	"testing"
)

// In place of client.Enqueue() of an SDK, which takes the same host and key.
func capture(event string, properties map[string]any) {
	body, _ := json.Marshal(map[string]any{
		"api_key": burrow.ProjectAPIKey, "event": event, "distinct_id": "ada", "properties": properties,
	})
	http.Post(burrow.Host+"/capture/", "application/json", bytes.NewReader(body))
}

func TestSignUpIsCapturedWithItsPlan(t *testing.T) {
	burrow.Reset(t)
	capture("signup", map[string]any{"plan": "pro"})
	event := burrow.WaitFor(t, "signup", map[string]any{"plan": "pro"})
	if event.DistinctID != "ada" {
		t.Fatalf("distinct ID %s", event.DistinctID)
	}
}
