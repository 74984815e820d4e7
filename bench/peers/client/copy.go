package main

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/siderolabs/talos/pkg/machinery/client"
)

// copyFrom unpacks a path of the node below a folder, or writes the compressed archive to the output for "-".
func copyFrom(ctx context.Context, c *client.Client, path, folder string) error {
	reader, err := c.Copy(ctx, path)
	if err != nil {
		return err
	}
	defer reader.Close() //nolint:errcheck

	if folder == "-" {
		_, err = io.Copy(os.Stdout, reader)

		return err
	}

	unzipped, err := gzip.NewReader(reader)
	if err != nil {
		return err
	}

	archive := tar.NewReader(unzipped)
	for {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := extract(archive, header, filepath.Join(folder, filepath.Clean("/"+header.Name))); err != nil {
			return err
		}
	}
}

func extract(archive io.Reader, header *tar.Header, path string) error {
	if header.Typeflag == tar.TypeDir {
		return os.MkdirAll(path, 0o777)
	}
	if header.Typeflag != tar.TypeReg {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}

	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close() //nolint:errcheck

	if _, err := io.Copy(file, archive); err != nil {
		return err
	}

	return file.Close()
}
