// Would doing this call twice be felt outside this folder? A table, on purpose generous: a false yes costs the next agent
// one look ("verify first"), a false no may cost a second deployment.

import {simpleCommands} from './shell-words.ts';

export const isOutside = (tool: string, input: string): boolean =>
  isShell(tool) ? isOutsideCommand(input) : mcpDoes.test(tool);

const isShell = (tool: string): boolean =>
  /^(?:Bash|exec_command|shell_command|shell|local_shell|exec|PowerShell)$/i.test(tool);

const isOutsideCommand = (input: string): boolean =>
  inside.some((pattern) => pattern.test(input)) ||
  simpleCommands(input).some(({words}) => {
    const line = words.join(' ').replace(starters, '');
    return commands.some((pattern) => pattern.test(line));
  });

/** Programs that only start others; a path in front of a program says nothing. */
const starters =
  /^(?:(?:sudo|time|env|command|exec|nohup|nice|npx|bunx|pnpx|xargs|timeout|watch|(?:pnpm|yarn|npm|bundle|poetry|pipenv|uv) (?:exec|run|dlx)(?= \w+ ))(?: +(?:-\S+|\d+[smh]?|[A-Za-z_]\w*=\S*))* +)*(?:\S*\/(?=[^/\s]+(?:\s|$)))?/;

/** From the program's name on. */
const commands = [
  /^git(?: -\S+(?: [^-\s]\S*)??)* (?:push|send-email)\b/,
  /^gh (?:pr|issue|release|repo|gist|workflow|run|secret|variable|label|project|api) \S*(?:create|merge|close|comment|edit|delete|review|ready|reopen|upload|run|rerun|cancel|set|sync|fork)/,
  /^gh api\b.*(?:-X|--method)[ =]?(?:POST|PUT|PATCH|DELETE)/i,
  /^gh api\b.* (?:-f|-F|--field|--raw-field|--input)\b/,
  /^(?:glab|hub|tea) (?:mr|pr|issue|release|pull-request|pulls|issues)(?: \S+)*? ?(?:create|merge|close|note|update|comment|delete)\b/,
  /^(?:npm|pnpm|yarn|bun|cargo|gem|poetry|uv|vsce|ovsx|hatch|flit|pdm|lerna|changeset|jsr|deno|mix hex\.)(?: npm)? ?(?:publish|unpublish|deprecate|push|yank|dist-tag|owner|access)\b/,
  /^(?:twine upload|semantic-release|release-it|np|goreleaser release|fastlane|eas (?:submit|update)|cap \w+ deploy|dotnet nuget push|mvn .*\bdeploy|gradle .*\bpublish|gradlew .*\bpublish)\b/,
  /^(?:docker|podman|buildah|skopeo|helm|oras|crane)(?: \S+)? (?:push|copy|upgrade|install|uninstall|rollback)\b/,
  /^docker (?:buildx )?build\b.* --push\b/,
  /^(?:kubectl|oc)(?: \S+)*? (?:apply|create|delete|replace|patch|scale|rollout|drain|set|annotate|label|cordon|exec)\b/,
  /^(?:terraform|tofu|pulumi|cdk|cdktf|terragrunt|sst|sam)(?: \S+)*? (?:apply|destroy|up|deploy|import|remove)\b/,
  /^(?:ansible|ansible-playbook|salt|puppet|chef-client|knife|nomad|consul|argocd|flux|waypoint|kamal|dokku)\b/,
  /^(?:vercel|netlify|fly|flyctl|wrangler|heroku|firebase|gcloud|gsutil|az|aws|serverless|sls|railway|render|supabase|surge|now|doctl|linode-cli|oci|ibmcloud|modal|convex|amplify)\b.*\b(?:deploy|publish|push|create|delete|update|put-\S+|sync|cp|mv|rm|rsync|invoke|send\S*|run|start|stop|restart|set|scale|rollback)\b/,
  /^vercel(?: |$)(?!.*\b(?:dev|ls|list|env|link|pull|logs|inspect)\b)/,
  /^(?:deploy|release|publish|ship)(?:[._-]\w+)*(?:\s|$)/,
  /^(?:npm|pnpm|yarn|bun|make|just|task|rake|composer|deno|nx|turbo)(?: run| task)?(?: -\S+)* \S*(?:deploy|release|publish|migrate|rollout)\S*(?: |$)/,
  /^curl\b.*(?:-X ?|--request[ =])(?:POST|PUT|PATCH|DELETE)/i,
  /^curl\b.* (?:-d|--data\S*|-F|--form|-T|--upload-file|--json)(?:\b|@)/,
  /^wget\b.* --(?:post|method|body)/,
  /^(?:http|https|xh|httpie) (?:\S+ )?(?:POST|PUT|PATCH|DELETE)\b/i,
  /^(?:scp|rsync|sftp|rclone|s3cmd|azcopy|lftp|ftp)\b.*(?:\S:|\b(?:put|copy|sync|move|delete|mput)\b)/,
  /^ssh (?:-\S+ (?:[^-\s]\S* )??)*\S+ \S/,
  /^(?:sendmail|mail|mailx|mutt|msmtp|swaks)\b/,
  /^(?:psql|mysql|mariadb|mongosh?|redis-cli|valkey-cli|sqlcmd|clickhouse-client|cqlsh|snowsql|bq)\b.*\b(?:insert|update|delete|drop|alter|truncate|create|grant|set|del|flush\w*|upsert|merge)/i,
  /^(?:prisma|alembic|rails|rake|knex|flyway|liquibase|goose|sqlx|drizzle-kit|sequelize|sequelize-cli|typeorm|dbmate|atlas|diesel|supabase|ef|dotnet ef)\b.*(?:migrat|upgrade|downgrade|\bpush\b|\bdeploy\b|\bup\b|\bapply\b|database update)/,
  /^(?:python3?|php|bin\/rails|mix) \S*(?:manage\.py migrate|artisan migrate|ecto\.migrate|db:migrate)/,
  /^(?:stripe|twilio|slack|sentry-cli|datadog-ci|kafka-console-producer|nats|mosquitto_pub)\b \S/,
  /^(?:systemctl|service|launchctl|supervisorctl|pm2)(?: -\S+)* (?:\S+ )?(?:start|stop|restart|reload|enable|disable|delete|kickstart)\b/,
];

/** Inside a script, a pipe into a shell, a substitution. */
const inside = [
  /\b(?:requests|httpx|axios|client|session)\.(?:post|put|patch|delete)\(/,
  /\bfetch\([\s\S]{0,300}method['"]?\s*:\s*['"](?:POST|PUT|PATCH|DELETE)/i,
  /\burlopen\([\s\S]{0,200}\bdata\s*=/,
  /\bsmtplib\b|\bsend_?mail\(/i,
  /(?:-exec|xargs(?: -\S+)*|\$\(|`|\beval) *(?:git push|curl .*-X ?(?:POST|PUT|PATCH|DELETE)|kubectl (?:apply|delete))/i,
];

/** Tools of MCP servers say what they do in their names. */
const mcpDoes =
  /^mcp__.*(?:create|send|post|publish|merge|delete|remove|update|deploy|push|comment|reply|upload|execute|insert|write|transfer|pay|close|cancel|invite|schedule|trigger|run)/i;
