# Writes RECORD.md from the lines of runs.tsv: `awk -f record.awk runs.tsv`. `.ci/fuzz` runs it.
function grouped(n,   digits, out) {
  digits = sprintf("%d", n)
  while (length(digits) > 3) {
    out = "," substr(digits, length(digits) - 2) out
    digits = substr(digits, 1, length(digits) - 3)
  }
  return digits out
}
function hours(s) { return sprintf("%.2f", s / 3600) }

BEGIN { FS = "\t" }
NR == 1 { next }
{
  date = $1; session = $1 FS $2 FS $3; target = $4
  if (!(session in session_executions)) sessions[++session_count] = session
  if (!(target in executions)) targets[++target_count] = target
  executions[target] += $5; session_executions[session] += $5; all_executions += $5
  cpu[target] += $6; session_cpu[session] += $6; all_cpu += $6
  if ($7 > 0) { edges[target] = $7; features[target] = $8; inputs[target] = $9 }
  findings[target] += $10; session_findings[session] += $10; all_findings += $10
  last[target] = date
}
END {
  print "# Record of the fuzz targets\n"
  print "`.ci/fuzz` writes this page from the lines of `runs.tsv`: one line per run of a target. Coverage is that of the last"
  print "run, without that of the targets themselves. CPU time until 2026-11-28 was recorded in part. The README lists what the"
  print "findings were.\n"
  print "| target | executions | CPU hours | edges | features | inputs | findings | last run |"
  print "|---|---|---|---|---|---|---|---|"
  for (i = 1; i <= target_count; i++) {
    t = targets[i]
    printf "| `%s` | %s | %s | %s | %s | %s | %s | %s |\n", t, grouped(executions[t]), hours(cpu[t]), \
      grouped(edges[t]), grouped(features[t]), grouped(inputs[t]), findings[t], last[t]
  }
  printf "| all | %s | %s | | | | %s | |\n\n", grouped(all_executions), hours(all_cpu), all_findings
  print "Sessions:\n"
  print "| date | commit | machine | executions | CPU hours | findings |"
  print "|---|---|---|---|---|---|"
  for (i = 1; i <= session_count; i++) {
    s = sessions[i]
    split(s, part, FS)
    printf "| %s | %s | %s | %s | %s | %s |\n", part[1], part[2], part[3], grouped(session_executions[s]), \
      hours(session_cpu[s]), session_findings[s]
  }
}
