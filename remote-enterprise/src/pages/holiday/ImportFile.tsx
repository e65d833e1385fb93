import Alert from 'antd/es/alert'
import Upload from 'antd/es/upload'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import type { Calendar, FileDay, ImportChange } from '@iot/shared/contract/project/calendar.schema'
import { holidayApi } from '@iot/shared/contract/project/calendar.api'
import { PermissionModal } from '@iot/shared/ui/rightModal'
import { ChangesTable, RefusedDays } from './ChangesTable'
import { toSeenVersions, useDaysImport } from './useDaysImport'

type Preview = {
  fileName: string
  days: FileDay[]
  notices: string[]
  changes: ImportChange[]
}
type ImportFileProps = { calendar: Calendar; onImported: () => void; onClose: () => void }

/** Previews the changes that the days of a file make to a calendar before they are imported. */
export default function ImportFile({ calendar, onImported, onClose }: ImportFileProps) {
  const [preview, setPreview] = useState<Preview>()
  const [errorText, setErrorText] = useState<string>()
  const [isReading, setReading] = useState(false)
  const changeCount = preview?.changes.filter(({ isKept }) => !isKept).length ?? 0

  async function previewDays(file: Omit<Preview, 'changes'>) {
    const input = { id: calendar.id, days: file.days }
    setPreview({ ...file, changes: await call(holidayApi.previewFile, input, { inline: true }) })
  }
  const { isImporting, refusedDays, runImport } = useDaysImport({
    onImported,
    onClose,
    previewAgain: () =>
      preview && void previewDays(preview).catch(({ message }: Error) => setErrorText(message)),
  })
  const isBusy = isReading || isImporting

  async function readFile(file: File) {
    setPreview(undefined)
    setErrorText(undefined)
    setReading(true)
    try {
      const { readHolidayFile } = await import('./readHolidayFile')
      const { days, notices } = await readHolidayFile(file)
      await previewDays({ fileName: file.name, days, notices })
    } catch (error) {
      setErrorText(`“${file.name}”没有读进来：${(error as Error).message}`)
    }
    setReading(false)
  }
  const importDays = ({ days, changes }: Preview) =>
    runImport(call(holidayApi.importFile, { id: calendar.id, days, seen: toSeenVersions(changes) }))
  return (
    <PermissionModal
      open
      to={holidayApi.importFile}
      width={640}
      centered
      title={`从文件导入“${calendar.name}”的节假日`}
      okText={changeCount > 0 ? `导入 ${changeCount} 天` : '导入'}
      okButtonProps={{ disabled: changeCount === 0 }}
      confirmLoading={isBusy}
      onOk={() => preview && importDays(preview)}
      onCancel={onClose}
    >
      <Upload.Dragger
        accept=".ics,.xlsx,.csv,.json"
        showUploadList={false}
        disabled={isBusy}
        beforeUpload={(file) => (void readFile(file), false)}
      >
        <p>{preview ? `${preview.fileName}，点击或拖入换一个文件` : '点击选择文件，或拖到这里'}</p>
        <p style={{ color: 'var(--ant-color-text-secondary)' }}>
          日历文件（.ics）、chinese-days 的 JSON，或有“日期”“类型”“名称”三列的 .xlsx、.csv
        </p>
      </Upload.Dragger>
      {errorText && (
        <Alert type="error" showIcon title={errorText} style={{ marginBlockStart: 16 }} />
      )}
      {preview && (
        <div style={{ marginBlockStart: 16 }}>
          {preview.notices.map((notice) => (
            <Alert
              key={notice}
              type="info"
              showIcon
              title={notice}
              style={{ marginBlockEnd: 12 }}
            />
          ))}
          <RefusedDays days={refusedDays} />
          <ChangesTable
            dataSource={preview.changes}
            locale={{ emptyText: `文件里的 ${preview.days.length} 天都已经在日历里` }}
          />
        </div>
      )}
    </PermissionModal>
  )
}
