import { Button, Flex, Tag } from 'antd'
import { call } from '@iot/shared/client/call'
import { backupApi } from '@iot/shared/contract/platform/backup.api'
import {
  BackupRun,
  backupKindText,
  backupStateText,
  verificationText,
  type BackupState,
  type Verification,
} from '@iot/shared/contract/platform/backup.schema'
import { formatBytes } from '@iot/shared/contract/bytes'
import { toTextOptions } from '@iot/shared/contract/options'
import { ignoreHandled } from '@iot/shared/ui/batch'
import { column, formatValue } from '@iot/shared/ui/field'
import { choiceFilter } from '@iot/shared/ui/filters'
import { ListTable } from '@iot/shared/ui/listTable'
import { Panel } from '@iot/shared/ui/panel'
import { Can } from '@iot/shared/ui/right'
import { useColumns } from '@iot/shared/ui/useColumns'
import { usePage } from '@iot/shared/ui/usePage'
import { BackupStatus } from './BackupStatus'
import { formatDuration } from './formatBackup'

const stateOptions = toTextOptions(backupStateText)
const stateColors: Partial<Record<BackupState, string>> = {
  running: 'processing',
  failed: 'error',
  interrupted: 'warning',
}

/** The browser itself saves the file from a one-time address, because it may be larger than the memory. */
const saveFile = ({ id }: BackupRun) =>
  call(backupApi.download, { id })
    .then(({ url, fileName }) =>
      Object.assign(document.createElement('a'), { href: url, download: fileName }).click(),
    )
    .catch(ignoreHandled)

export function Component() {
  const list = usePage(backupApi.page, { empty: '还没有备份' })
  const columns = useColumns<BackupRun>('backupRun', [
    { ...column(BackupRun, 'startTime'), width: 160 },
    {
      ...column(BackupRun, 'kind'),
      width: 70,
      render: (kind: BackupRun['kind']) => backupKindText[kind],
    },
    {
      ...column(BackupRun, 'state'),
      width: 84,
      render: (state: BackupState) =>
        stateColors[state] ? (
          <Tag color={stateColors[state]}>{backupStateText[state]}</Tag>
        ) : (
          backupStateText[state]
        ),
    },
    {
      title: <>用时</>,
      key: 'duration',
      width: 110,
      render: (_, { startTime, endTime }) => formatDuration(startTime, endTime),
    },
    {
      ...column(BackupRun, 'bytes'),
      width: 90,
      align: 'right',
      render: (bytes: number | null) => (bytes === null ? '—' : formatBytes(bytes)),
    },
    {
      ...column(BackupRun, 'rowCount'),
      width: 110,
      align: 'right',
      render: (count: number | null) => (count === null ? '—' : count.toLocaleString('zh-CN')),
    },
    {
      ...column(BackupRun, 'verification'),
      width: 100,
      render: (verification: Verification) => verificationText[verification],
    },
    {
      ...column(BackupRun, 'isEncrypted'),
      width: 64,
      render: (isEncrypted: boolean) => (isEncrypted ? '是' : '否'),
    },
    { ...column(BackupRun, 'startedBy'), width: 90, ellipsis: true },
    { ...column(BackupRun, 'error'), width: 220, ellipsis: true },
    {
      ...column(BackupRun, 'fileName'),
      width: 280,
      ellipsis: true,
      render: (fileName: string | null) => formatValue(fileName),
    },
    {
      title: <>操作</>,
      width: 60,
      fixed: 'right',
      render: (_, row) => (
        <Can to={backupApi.download} unless={row.unavailableReason}>
          <Button
            type="link"
            size="small"
            style={{ marginInlineStart: -7 }}
            onClick={() => saveFile(row)}
          >
            下载
          </Button>
        </Can>
      ),
    },
  ])

  return (
    <Flex vertical gap={12}>
      <Panel>
        <BackupStatus onChanged={list.refresh} />
      </Panel>
      <Panel>
        <ListTable<BackupRun>
          list={list}
          columns={columns}
          filters={[choiceFilter('state', '状态', stateOptions, 110)]}
        />
      </Panel>
    </Flex>
  )
}
