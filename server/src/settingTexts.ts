import type { SettingName } from './settings'

type SettingText = {
  /** One line of `--help`. */
  help: string
  /** One row of the table in docs/operating.md. */
  description: string
  /** Other users of the machine see arguments of a process, so a secret is read from environment or file only. */
  isSecret?: boolean
}

/** Describes each setting twice: for the operator at the terminal, and for the guide. */
export const settingTexts: Record<SettingName, SettingText> = {
  PORT: {
    help: '网页和接口的端口',
    description: 'port of the console and the HTTP API',
  },
  HOST: {
    help: '从哪里可以连接：localhost 只限本机，0.0.0.0 为所有 IPv4 网络，:: 再加 IPv6，或本机的一个地址',
    description:
      'where HTTP and MQTT listen: `localhost` is this machine only, `0.0.0.0` all IPv4 networks, `::` IPv6 too, or one address of this machine',
  },
  MQTT_HOST: {
    help: '设备从哪里可以连接，默认同 HOST',
    description: 'where MQTT listens; like `HOST` if it is left out',
  },
  MQTT_PORT: {
    help: '设备（MQTT）的端口',
    description: 'port of the devices (MQTT)',
  },
  DATA: {
    help: '数据目录：数据库、上传的文件、已发布的控制台',
    description: 'folder of database, uploads and deployed builds',
  },
  SITE: {
    help: '控制台各版本所在的目录，默认为数据目录下的 site',
    description:
      'folder of the deployed builds of the console; `site` in the data folder if it is left out',
  },
  DATABASE_URL: {
    help: '用自己的 PostgreSQL：postgresql://用户:密码@主机:5432/库名；不设则用自带的',
    description: 'your PostgreSQL server; the embedded one if it is left out',
    isSecret: true,
  },
  MQTT_URL: {
    help: '用自己的消息服务：mqtt://用户:密码@主机:1883；不设则用自带的',
    description: 'your MQTT broker; the embedded one if it is left out',
    isSecret: true,
  },
  INGEST_PARTITIONS: {
    help: '接入分区数：1 为一个进程接入、其余备用；更多则把产品分给多个进程',
    description:
      'ingest partitions, 1 to 64: with 1 one process receives all devices and the others stand by; more divide the products among processes',
  },
  MQTT_TLS_PORT: {
    help: 'MQTT 加密（TLS）端口，通常为 8883',
    description: 'port of MQTT over TLS, usually 8883',
  },
  MQTT_WS_PORT: {
    help: 'MQTT 经 WebSocket 的端口',
    description: 'port of MQTT over WebSocket, at any path',
  },
  MQTT_WSS_PORT: {
    help: 'MQTT 经加密 WebSocket 的端口',
    description: 'port of MQTT over WebSocket with TLS',
  },
  MQTT_CERTIFICATE: {
    help: '设备端口的证书（PEM 文件）',
    description:
      'PEM file with the certificate of the device ports; read again within a minute after a change',
  },
  MQTT_KEY: {
    help: '证书的私钥（PEM 文件）',
    description: 'PEM file with its private key',
  },
  MQTT_CONNECTIONS_PER_ADDRESS: {
    help: '每个地址最多的设备连接数，默认 4096',
    description: 'open device connections per address, 4,096 if it is left out',
  },
  MQTT_CONNECTIONS: {
    help: '设备连接总数上限，默认 16384',
    description: 'open device connections in all, 16,384 if it is left out',
  },
  MQTT_HOOK_SECRET: {
    help: '外部消息服务询问平台时出示的密钥，至少 16 个字符',
    description:
      'secret that an external broker presents when it asks the platform; at least 16 characters',
    isSecret: true,
  },
  HTTP_CONNECTIONS_PER_ADDRESS: {
    help: '每个地址最多的网页连接数，默认 1024',
    description: 'open HTTP and WebSocket connections per address, 1,024 if it is left out',
  },
  HTTP_CONNECTIONS: {
    help: '网页连接总数上限，默认 8192，须小于系统的打开文件数上限',
    description:
      'open HTTP connections in all, 8,192 if it is left out; keep it below the limit of open files',
  },
  USER_CALLS_PER_SECOND: {
    help: '每个用户每秒的调用数上限，默认 100',
    description: 'calls per user and second over all sessions, 100 if it is left out',
  },
  PUBLIC_URL: {
    help: '从外部访问平台的地址，可带路径，例如 https://iot.example 或 https://主机/iot/；用于通知中的链接和设备取配置文件，不设则没有链接，也不能下发配置',
    description:
      'address of the platform from outside, with a path if it is reached below one, such as `https://iot.example` or `https://host/iot/`; it is used for links in notifications and for the configuration that devices fetch, and without it handing out a configuration is refused with that reason',
  },
  SECRET_KEY: {
    help: '加密通知渠道密钥的口令，至少 32 个字符；多个进程须相同；不设则用数据目录下的 secret.key',
    description:
      'encrypts the secrets of notification channels, at least 32 characters; the same for all processes of one database; if it is left out, `secret.key` in the data folder is used, which belongs into every backup',
    isSecret: true,
  },
  NOTIFICATION_PRIVATE_NETWORKS: {
    help: '允许通知发往的内网地址或网段，用逗号隔开，如 10.1.0.0/16；默认只能发往公网',
    description:
      'private addresses or networks to which notifications may be sent, separated by commas, such as `10.1.0.0/16`; only public addresses if it is left out',
  },
  OFFLINE_GRACE_SECONDS: {
    help: '启动或消息服务恢复后，多少秒内不报设备离线，默认 120',
    description:
      'seconds after a start or an outage of the broker in which no offline incident is opened, because devices are reconnecting; 120 if it is left out',
  },
  ADMIN_PASSWORD: {
    help: '首次启动时管理员的密码，不再要求修改；不设则生成一个',
    description:
      'first password of the administrator, which need not be changed; generated if it is left out',
    isSecret: true,
  },
  RELEASE_PUBLIC_KEY: {
    help: '只提供用这个公钥（PEM 文件）验证过的控制台版本',
    description:
      'PEM file with an Ed25519 public key: only builds signed with its private key are published and served',
  },
  METRICS_TOKEN: {
    help: '读取 /metrics 须出示的令牌，至少 16 个字符；不设则只限本机',
    description:
      'token for `/metrics`, at least 16 characters; without it only this machine may read it',
    isSecret: true,
  },
  API_DOCS_PUBLIC: {
    help: 'true 让没有登录的人也能读接口文档 /v1/openapi.json 和 /v1/docs；不设则须登录',
    description:
      '`true` lets anyone read `/v1/openapi.json` and `/v1/docs`; without it one has to sign in',
  },
  TRUST_PROXY: {
    help: '前面的 Web 服务器的地址，多个用逗号分开',
    description: 'addresses of the web servers in front, separated by commas',
  },
  LOGIN_LOG_DAYS: {
    help: '登录日志保留天数',
    description: 'days that sign-ins are kept',
  },
  ACTION_LOG_DAYS: {
    help: '操作日志保留天数',
    description: 'days that the audit log is kept',
  },
  ERROR_LOG_DAYS: {
    help: '没有再出现的错误保留天数',
    description: 'days that errors are kept that did not recur',
  },
  HISTORY_DAYS: {
    help: '设备上报历史保留天数，项目可以另设',
    description: 'days that device reports are kept; a project may set its own',
  },
  BACKUP_FOLDER: {
    help: '每天的备份写到这个目录，最好在另一块磁盘上；不设置则没有定时备份',
    description:
      'folder of the daily backups, best on another disk; without it there are no scheduled backups',
  },
  BACKUP_AT: {
    help: '每天几点备份，本进程时区的 时:分',
    description: 'time of day of the backup, `HH:mm` in the time zone of the process',
  },
  BACKUP_KEEP: {
    help: '保留最近多少份成功的定时备份，手动的另外保留同样多份',
    description:
      'successful scheduled backups that are kept, and as many of those that a person started',
  },
  BACKUP_PASSPHRASE_FILE: {
    help: '口令文件：第一行是加密备份的口令，至少 12 个字符；不设置则不加密',
    description:
      'file whose first line, at least 12 characters, is the passphrase that encrypts backups; without it they are not encrypted',
  },
  CONTROL_REPLY_TIMEOUT_MS: {
    help: '控制后等设备应答的毫秒数，超过为超时，默认 10000',
    description:
      'a device acknowledges a control task or a switch in this time, else 超时; 10,000 if it is left out',
  },
  CONTROL_REPORT_TIMEOUT_MS: {
    help: '应答后等设备上报的毫秒数，超过为已确认（未上报），默认 3000',
    description:
      'an acknowledged device reports in this time, else 已确认（未上报）; 3,000 if it is left out',
  },
  CONTROL_DRAIN_TIMEOUT_MS: {
    help: '停止时等已下发命令应答的毫秒数，默认 3000',
    description: 'a stop waits for answers to commands already sent; 3,000 if it is left out',
  },
  SERVICE_REPLY_TIMEOUT_MS: {
    help: '等设备应答服务调用和配置下发的毫秒数，最多 18000，默认 10000',
    description:
      'a device answers a service call or a pushed configuration; at most 18,000, because a page waits 20 s; 10,000 if it is left out',
  },
  STALE_FIRST_QUERY_MS: {
    help: '在线设备的值过时后多少毫秒去查询，默认 3000',
    description:
      'an online device with stale values is queried after this time; 3,000 if it is left out',
  },
  STALE_MAX_PAUSE_MS: {
    help: '对不应答的设备两次查询之间最长的毫秒数，默认 300000',
    description: 'longest pause between two queries of a silent device; 300,000 if it is left out',
  },
  LOG_LEVEL: {
    help: '日志级别：trace、debug、info、warn、error 或 silent',
    description: '`trace`, `debug`, `info`, `warn`, `error` or `silent`',
  },
}
