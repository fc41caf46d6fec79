{{/* Parts that every pod has: names, the image, where settings and secrets come from, what it may do. */}}

{{- define "outreach.name" -}}
{{- if contains "outreach" .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{ else }}{{ printf "%s-outreach" .Release.Name | trunc 40 | trimSuffix "-" }}{{ end -}}
{{- end }}

{{- define "outreach.selector" -}}
app.kubernetes.io/name: outreach
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "outreach.labels" -}}
{{ include "outreach.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{- define "outreach.image" -}}
{{- if .Values.image.digest }}{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else }}{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end -}}
{{- end }}

{{/* No rights on the node, none in the cluster. */}}
{{- define "outreach.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
volumes:
  - name: tmp
    emptyDir: { sizeLimit: 256Mi }
  {{- if .Values.trust }}
  - name: trust
    configMap: { name: {{ .Values.trust }} }
  {{- end }}
  {{- if .Values.hostBackups }}
  - name: host-backups
    persistentVolumeClaim: { claimName: {{ .Values.hostBackups }} }
  {{- end }}
  {{- if .Values.secrets.temporal }}
  - name: temporal
    # 0440, which YAML 1.2 reads as another number: the group of the programs reads it, nobody else does.
    secret: { secretName: {{ .Values.secrets.temporal }}, defaultMode: 288 }
  {{- end }}
{{- end }}

{{- define "outreach.container" -}}
image: {{ include "outreach.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
volumeMounts:
  - name: tmp
    mountPath: /tmp
  {{- if .Values.trust }}
  - name: trust
    mountPath: /trust
    readOnly: true
  {{- end }}
  {{- if .Values.hostBackups }}
  - name: host-backups
    mountPath: /host-backups
  {{- end }}
  {{- if .Values.secrets.temporal }}
  - name: temporal
    mountPath: /temporal
    readOnly: true
  {{- end }}
{{- end }}

{{- define "outreach.settings" -}}
envFrom:
  - configMapRef: { name: {{ include "outreach.name" . }} }
  - secretRef: { name: {{ .Values.secrets.product }} }
{{- end }}

{{/* A change of a setting is a change of the pods. Secrets are the cluster's: restart after a change of them. */}}
{{- define "outreach.checksum" -}}
checksum/settings: {{ toJson .Values.settings | sha256sum }}
{{- end }}

{{/* Copies of one component stand on different nodes and in different zones, where there are some. */}}
{{- define "outreach.spread" -}}
topologySpreadConstraints:
  {{- $root := . }}
  {{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "outreach.selector" $root | nindent 8 }}
  {{- end }}
{{- end }}
