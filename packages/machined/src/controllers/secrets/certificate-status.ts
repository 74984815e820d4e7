import {
  createResource,
  exclusive,
  reduceController,
  weak,
  type Controller,
  type Reader,
  type Resource,
} from "@talos-ts/cosi";
import { formatName, parseCertificates } from "@talos-ts/crypto";
import {
  ApiCertificate,
  CertificateStatus,
  EtcdSecret,
  KubernetesDynamicCert,
  OSRootSecret,
  TrustdCertificate,
  type CertificateStatusSpec,
} from "@talos-ts/machinery/resources/secrets";

/** Publishes the dates of every certificate that the machine holds, by what it is for; keys stay where they are. */
export function certificateStatusController(): Controller {
  return reduceController({
    name: "secrets.CertificateStatusController",
    inputs: [
      weak(ApiCertificate),
      weak(EtcdSecret),
      weak(KubernetesDynamicCert),
      weak(OSRootSecret),
      weak(TrustdCertificate),
    ],
    outputs: [exclusive(CertificateStatus)],
    async reduce(reader) {
      const statuses: Resource<CertificateStatusSpec>[] = [];
      for (const [id, pem] of await certificatesOf(reader)) {
        for (const [index, certificate] of parseCertificates(pem ?? "").entries()) {
          const spec = CertificateStatus.spec({
            subject: formatName(certificate.subject),
            issuer: formatName(certificate.issuer),
            notBefore: certificate.notBefore.toISOString(),
            notAfter: certificate.notAfter.toISOString(),
          });
          statuses.push(createResource(CertificateStatus, index === 0 ? id : `${id}-${String(index)}`, spec));
        }
      }
      return statuses;
    },
  });
}

/** PEM by the name of the certificate; absent ones are `undefined`. */
async function certificatesOf(reader: Reader): Promise<readonly (readonly [id: string, pem: string | undefined])[]> {
  const api = (await reader.find(ApiCertificate, ApiCertificate.id))?.spec;
  const etcd = (await reader.find(EtcdSecret, EtcdSecret.id))?.spec;
  const kubernetes = (await reader.find(KubernetesDynamicCert, KubernetesDynamicCert.id))?.spec;
  const os = (await reader.find(OSRootSecret, OSRootSecret.id))?.spec;
  const trustd = (await reader.find(TrustdCertificate, TrustdCertificate.id))?.spec;
  const all: readonly (readonly [string, string | undefined])[] = [
    ["os-ca", os?.issuingCA?.crt ?? os?.acceptedCAs[0]?.crt],
    ["apid-server", api?.server?.crt],
    ["apid-client", api?.client?.crt],
    ["trustd-server", trustd?.server?.crt],
    ["etcd-server", etcd?.etcd?.crt],
    ["etcd-peer", etcd?.etcdPeer?.crt],
    ["etcd-admin", etcd?.etcdAdmin?.crt],
    ["etcd-client-of-apiserver", etcd?.etcdAPIServer?.crt],
    ["apiserver", kubernetes?.apiServer?.crt],
    ["apiserver-kubelet-client", kubernetes?.apiServerKubeletClient?.crt],
    ["front-proxy", kubernetes?.frontProxy?.crt],
  ];
  return all.filter(([, pem]) => pem !== undefined && pem !== "");
}
