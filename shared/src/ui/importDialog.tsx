import { Alert, App, Button, Flex, Modal, Progress, Space, Table, Upload } from 'antd'
import { useRef, useState } from 'react'
import { quietly } from './batch'
import { readTable, rowsOf, saveTable, tableOf, type SheetColumn, type SheetKind } from './sheet'

type Row = { line: number; cells: string[]; draft: Record<string, unknown> }
type Failed = Row & { reason: string }
/** Of one row, in the order they were sent. */
export type Imported = { ok: boolean; reason?: string }

type ImportDialogProps<T> = {
  /** What the rows are, as in 导入厂商. */
  name: string
  columns: SheetColumn<T>[]
  send: (drafts: Record<string, unknown>[], signal: AbortSignal) => Promise<Imported[]>
  onClose: () => void
  onImported: () => void
}

const PORTION = 100
const ROWS_MAX = 5000
const BYTES_MAX = 10 * 1024 * 1024

/** Imports a table portion by portion, so that it shows how far it is and can be stopped; failed rows come back as a file. */
export default function ImportDialog<T extends object>({
  name,
  columns,
  send,
  onClose,
  onImported,
}: ImportDialogProps<T>) {
  const { message } = App.useApp()
  const [wrong, setWrong] = useState<string>()
  const [progress, setProgress] = useState<{ done: number; total: number }>()
  const [result, setResult] = useState<{
    head: string[]
    succeeded: number
    failed: Failed[]
    left: number
  }>()
  const stop = useRef<AbortController>(undefined)

  const template = (kind: SheetKind) =>
    void saveTable(`${name}导入模板`, kind, [
      columns.map(({ title }) => title),
      columns.map(({ example }) => example),
    ])

  async function start(file: File) {
    setWrong(undefined)
    if (file.size > BYTES_MAX) return setWrong('文件超过 10 MB，请分成几个文件')
    const table = await readTable(file).catch(() => undefined)
    if (!table) return setWrong('文件读不出来，请用模板另存为 .xlsx 或 .csv')
    const { missing, rows } = rowsOf(columns, table)
    if (missing.length > 0) return setWrong(`缺少列：${missing.join('、')}。请下载模板对照表头`)
    if (rows.length === 0) return setWrong('文件里没有数据行')
    if (rows.length > ROWS_MAX)
      return setWrong(`共 ${rows.length} 行，一次最多 ${ROWS_MAX} 行，请分成几个文件`)
    await importRows(table[0]!, rows)
  }

  async function importRows(head: string[], rows: Row[]) {
    stop.current = new AbortController()
    const { signal } = stop.current
    const failed: Failed[] = []
    let done = 0
    try {
      while (done < rows.length && !signal.aborted) {
        setProgress({ done, total: rows.length })
        const portion = rows.slice(done, done + PORTION)
        const answers = await send(
          portion.map(({ draft }) => draft),
          signal,
        )
        failed.push(
          ...portion.flatMap((row, i) =>
            answers[i]?.ok ? [] : [{ ...row, reason: answers[i]?.reason ?? '没有结果' }],
          ),
        )
        done += portion.length
      }
    } catch (error) {
      if (!signal.aborted) quietly(error)
    } finally {
      setProgress(undefined)
      setResult({ head, succeeded: done - failed.length, failed, left: rows.length - done })
      if (done > failed.length) onImported()
    }
  }

  const saveFailed = ({ head, failed }: NonNullable<typeof result>) =>
    void saveTable(`${name}导入失败`, 'xlsx', [
      [...head, '失败原因'],
      ...failed.map(({ cells, reason }) => [...head.map((_, i) => cells[i] ?? ''), reason]),
    ]).then(() => message.success('失败的行已下载，改好后可直接再次导入'))

  return (
    <Modal
      open
      title={`导入${name}`}
      width={640}
      mask={{ closable: false }}
      closable={!progress}
      onCancel={onClose}
      footer={
        progress ? (
          <Button onClick={() => stop.current?.abort()}>停止</Button>
        ) : result ? (
          <Space>
            {result.failed.length > 0 && (
              <Button onClick={() => saveFailed(result)}>下载失败的行</Button>
            )}
            <Button onClick={() => setResult(undefined)}>继续导入</Button>
            <Button type="primary" onClick={onClose}>
              完成
            </Button>
          </Space>
        ) : (
          <Button onClick={onClose}>取消</Button>
        )
      }
    >
      {progress ? (
        <Flex vertical gap={8}>
          <Progress percent={Math.round((progress.done / progress.total) * 100)} />
          <span>
            已处理 {progress.done} / {progress.total} 行
          </span>
        </Flex>
      ) : result ? (
        <Flex vertical gap={12}>
          <Alert
            showIcon
            type={result.failed.length + result.left === 0 ? 'success' : 'warning'}
            title={`成功 ${result.succeeded} 行，失败 ${result.failed.length} 行${result.left > 0 ? `，未处理 ${result.left} 行` : ''}`}
          />
          {result.failed.length > 0 && (
            <Table<Failed>
              size="small"
              rowKey="line"
              dataSource={result.failed}
              pagination={{ pageSize: 10, hideOnSinglePage: true, showSizeChanger: false }}
              columns={[
                { title: '行号', dataIndex: 'line', width: 70 },
                {
                  title: columns[0]!.title,
                  key: 'name',
                  ellipsis: true,
                  render: (_, { draft }) => String(draft[columns[0]!.name]),
                },
                { title: '失败原因', dataIndex: 'reason' },
              ]}
            />
          )}
        </Flex>
      ) : (
        <Flex vertical gap={12}>
          <Space size={4}>
            先下载模板：
            <Button type="link" size="small" onClick={() => template('xlsx')}>
              Excel 模板
            </Button>
            <Button type="link" size="small" onClick={() => template('csv')}>
              CSV 模板
            </Button>
          </Space>
          {wrong && <Alert type="error" showIcon title={wrong} />}
          <Upload.Dragger
            accept=".xlsx,.csv"
            showUploadList={false}
            beforeUpload={(file) => (void start(file), false)}
          >
            <p style={{ margin: '16px 0 4px' }}>点击选择文件，或把文件拖到这里</p>
            <p style={{ margin: '0 0 16px', color: 'var(--ant-color-text-secondary)' }}>
              .xlsx 或 .csv，最多 {ROWS_MAX} 行；第一行是表头
            </p>
          </Upload.Dragger>
        </Flex>
      )}
    </Modal>
  )
}

/** Rows as a file; the columns are those of the import. */
export const exportTable = <T extends object>(
  name: string,
  kind: SheetKind,
  columns: SheetColumn<T>[],
  rows: T[],
) => saveTable(name, kind, tableOf(columns, rows))
