// Measures the Go implementation on the operations of bench/config/subject.ts, and prints one JSON object.
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/siderolabs/talos/pkg/machinery/config"
	"github.com/siderolabs/talos/pkg/machinery/config/configloader"
	"github.com/siderolabs/talos/pkg/machinery/config/configpatcher"
	"github.com/siderolabs/talos/pkg/machinery/config/encoder"
	"github.com/siderolabs/talos/pkg/machinery/config/generate"
	"github.com/siderolabs/talos/pkg/machinery/config/generate/secrets"
	"github.com/siderolabs/talos/pkg/machinery/config/machine"
	"github.com/siderolabs/talos/pkg/machinery/constants"
)

type work struct {
	Small         string `json:"small"`
	Large         string `json:"large"`
	Patch         string `json:"patch"`
	Secrets       string `json:"secrets"`
	SmallTimes    int    `json:"smallTimes"`
	LargeTimes    int    `json:"largeTimes"`
	GenerateTimes int    `json:"generateTimes"`
	SecretsTimes  int    `json:"secretsTimes"`
	Rounds        int    `json:"rounds"`
}

// container is the mode a local node validates its configuration in.
type container struct{}

func (container) String() string        { return "container" }
func (container) RequiresInstall() bool { return false }
func (container) InContainer() bool     { return true }

var plain = encoder.WithComments(encoder.CommentsDisabled)

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func value[T any](result T, err error) T {
	must(err)

	return result
}

// measure gives milliseconds per run: the median of the rounds, each the mean of its runs.
func measure(times, rounds int, run func()) float64 {
	var took []float64

	for round := range rounds + 1 {
		start := time.Now()

		for range times {
			run()
		}

		// The first round warms up, unless there is only that one.
		if round > 0 || rounds == 0 {
			took = append(took, float64(time.Since(start).Nanoseconds())/1e6/float64(times))
		}
	}

	slices.Sort(took)

	return took[len(took)/2]
}

func apply(cfg config.Provider, patch configpatcher.Patch) config.Provider {
	output := value(configpatcher.Apply(configpatcher.WithConfig(cfg), []configpatcher.Patch{patch}))

	return value(output.Config())
}

func produce(options ...generate.Option) {
	input := value(generate.NewInput("bench", "https://10.6.0.2:6443", constants.DefaultKubernetesVersion,
		append(options, generate.WithEndpointList([]string{"10.6.0.2"}))...))

	for _, kind := range []machine.Type{machine.TypeControlPlane, machine.TypeWorker} {
		value(value(input.Config(kind)).EncodeBytes(plain))
	}

	value(value(input.Talosconfig()).Bytes())
}

func main() {
	var w work

	must(json.Unmarshal([]byte(os.Args[1]), &w))

	result := map[string]any{}
	small := value(os.ReadFile(w.Small))
	result["first"] = measure(1, 0, func() { value(configloader.NewFromBytes(small)) })
	patch := value(configpatcher.LoadPatch(value(os.ReadFile(w.Patch))))

	for _, size := range []struct {
		name, path string
		times      int
	}{{"small", w.Small, w.SmallTimes}, {"large", w.Large, w.LargeTimes}} {
		bytes := value(os.ReadFile(size.path))
		cfg := value(configloader.NewFromBytes(bytes))

		result[size.name+"Load"] = measure(size.times, w.Rounds, func() { value(configloader.NewFromBytes(bytes)) })
		result[size.name+"Validate"] = measure(size.times, w.Rounds, func() { value(cfg.Validate(container{})) })
		result[size.name+"Encode"] = measure(size.times, w.Rounds, func() { value(cfg.EncodeBytes(plain)) })
		result[size.name+"Patch"] = measure(size.times, w.Rounds, func() { apply(cfg, patch) })

		if size.name == "large" {
			digest := sha256.Sum256(value(apply(cfg, patch).EncodeBytes(plain)))
			result["digest"] = hex.EncodeToString(digest[:])
		}
	}

	bundle := value(secrets.LoadBundle(w.Secrets))
	result["generate"] = measure(w.GenerateTimes, w.Rounds, func() { produce(generate.WithSecretsBundle(bundle)) })
	result["withSecrets"] = measure(w.SecretsTimes, 0, func() { produce() })

	must(json.NewEncoder(os.Stdout).Encode(result))
}
