import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import Tag from 'antd/es/tag'
import { call } from '@iot/shared/client/call'
import { backupApi } from '@iot/shared/contract/platform/backup.api'
import type {
  BackupRun,
  BackupState,
  Verification,
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
import {
  backupRunTitles,
  backupKindText,
  backupStateText,
  verificationText,
} from '@iot/shared/contract/platform/backup'

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
    { ...column(backupRunTitles, 'startTime'), width: 160 },
    {
      ...column(backupRunTitles, 'kind'),
      width: 70,
      render: (kind: BackupRun['kind']) => backupKindText[kind],
    },
    {
      ...column(backupRunTitles, 'state'),
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
      ...column(backupRunTitles, 'bytes'),
      width: 90,
      align: 'right',
      render: (bytes: number | null) => (bytes === null ? '—' : formatBytes(bytes)),
    },
    {
      ...column(backupRunTitles, 'rowCount'),
      width: 110,
      align: 'right',
      render: (count: number | null) => (count === null ? '—' : count.toLocaleString('zh-CN')),
    },
    {
      ...column(backupRunTitles, 'verification'),
      width: 100,
      render: (verification: Verification) => verificationText[verification],
    },
    {
      ...column(backupRunTitles, 'isEncrypted'),
      width: 64,
      render: (isEncrypted: boolean) => (isEncrypted ? '是' : '否'),
    },
    { ...column(backupRunTitles, 'startedBy'), width: 90, ellipsis: true },
    { ...column(backupRunTitles, 'error'), width: 220, ellipsis: true },
    {
      ...column(backupRunTitles, 'fileName'),
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
