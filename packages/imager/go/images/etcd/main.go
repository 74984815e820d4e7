// etcd and its two tools in one: it is the one whose name it is called by.
package main

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"go.etcd.io/etcd/etcdctl/v3/ctlv3"
	"go.etcd.io/etcd/etcdutl/v3/etcdutl"
	"go.etcd.io/etcd/pkg/v3/cobrautl"
	"go.etcd.io/etcd/server/v3/etcdmain"
)

func main() {
	switch filepath.Base(os.Args[0]) {
	case "etcdctl":
		ctlv3.MustStart()
	case "etcdutl":
		if err := utility().Execute(); err != nil {
			cobrautl.ExitWithError(cobrautl.ExitError, err)
		}
	default:
		etcdmain.Main(os.Args)
	}
}

func utility() *cobra.Command {
	root := &cobra.Command{Use: "etcdutl", Short: "Works on the files of etcd: snapshots, defragmentation, hashes, migration."}
	root.PersistentFlags().StringVarP(&etcdutl.OutputFormat, "write-out", "w", "simple", "set the output format (fields, json, protobuf, simple, table)")
	root.AddCommand(
		etcdutl.NewCompletionCommand(),
		etcdutl.NewDefragCommand(),
		etcdutl.NewHashKVCommand(),
		etcdutl.NewMigrateCommand(),
		etcdutl.NewSnapshotCommand(),
		etcdutl.NewVersionCommand(),
	)

	return root
}
