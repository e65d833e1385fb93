import useRequest from 'ahooks/es/useRequest'
import Alert from 'antd/es/alert'
import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import Radio from 'antd/es/radio'
import Space from 'antd/es/space'
import Table from 'antd/es/table'
import Upload from 'antd/es/upload'
import { useState } from 'react'
import { download } from '@iot/shared/client/call'
import { upsertFunction } from '@iot/shared/contract/product/conformance'
import { validateModelChange } from '@iot/shared/contract/product/publishedModel'
import { compareModels, listFunctions } from '@iot/shared/contract/thingModel/modelDifference'
import { parseModelTable } from '@iot/shared/contract/thingModel/modelSheet.schema'
import type { ModelError, ModelReadResult } from '@iot/shared/contract/thingModel/parseModel'
import { ThingModel } from '@iot/shared/contract/thingModel/thingModel.schema'
import { parseTsl } from '@iot/shared/contract/thingModel/tsl.schema'
import { useFeedback } from '@iot/shared/ui/feedback'
import { readTable } from '@iot/shared/ui/readTable'
import { PermissionModal } from '@iot/shared/ui/rightModal'
import { ModelDifference } from './ModelDifference'
import type { ModelEditing } from './modelEditing'

const maxFileBytes = 2 * 1024 * 1024
const createFileError = (reason: string): ModelReadResult => ({
  errors: [{ place: '文件', field: '', reason }],
})

async function readModelFile(file: File): Promise<ModelReadResult> {
  if (file.size > maxFileBytes) return createFileError('文件超过 2 MB')
  if (/\.json$/i.test(file.name)) return parseTsl(await file.text())
  try {
    return parseModelTable((await readTable(file)).table)
  } catch (error) {
    return createFileError((error as Error).message)
  }
}

/** Imported functions replace those with the same identifier; all others stay. */
const mergeImportedFunctions = (model: ThingModel, importedModel: ThingModel) =>
  listFunctions(importedModel).reduce(
    (merged, importedFunction) => upsertFunction(merged, importedFunction),
    {
      ...model,
      ...(importedModel.extra && { extra: importedModel.extra }),
    },
  )

type ImportModelProps = Pick<ModelEditing, 'change' | 'locked' | 'refusal'> & {
  model: ThingModel
  onClose: () => void
}

/**
 * Imports functions from a TSL file or a table. A file with errors lists their locations and imports nothing; a valid
 * file previews its changes.
 */
export default function ImportModel({ model, locked, refusal, change, onClose }: ImportModelProps) {
  const { message } = useFeedback()
  const [readResult, setReadResult] = useState<ModelReadResult>()
  const [importMode, setImportMode] = useState<'join' | 'replace'>('join')
  const { run: openFile, loading } = useRequest(
    async (file: File) => setReadResult(await readModelFile(file)),
    {
      manual: true,
    },
  )
  const importedModel = readResult && !readResult.errors ? readResult.model : undefined
  const createNextModel = (fileModel: ThingModel, currentModel: ThingModel) =>
    importMode === 'join' ? mergeImportedFunctions(currentModel, fileModel) : fileModel
  const nextModel = importedModel && createNextModel(importedModel, model)
  // One identifier may be a property in the model and an event in the file.
  const modelError = nextModel && ThingModel.safeParse(nextModel).error?.issues[0]?.message
  const importRefusal =
    modelError ?? (nextModel && locked.size > 0 ? validateModelChange(model, nextModel) : undefined)
  const { run: importFunctions, loading: isImporting } = useRequest(
    async () => {
      if (!(await change((now) => createNextModel(importedModel!, now)))) return
      message.success(`已导入 ${listFunctions(importedModel!).length} 项功能`)
      onClose()
    },
    { manual: true },
  )

  return (
    <PermissionModal
      open
      unless={refusal}
      title="导入功能"
      width={760}
      style={{ top: 40 }}
      okText="导入"
      okButtonProps={{ disabled: !importedModel || !!importRefusal }}
      confirmLoading={isImporting}
      onOk={importFunctions}
      onCancel={onClose}
    >
      <Flex vertical gap={12}>
        <Space size={4}>
          从 TSL 文件（.json）或表格（.xlsx、.csv）导入。
          <Button
            type="link"
            size="small"
            onClick={() =>
              void download('/v1/thing-model/template.xlsx', '物模型导入模板.xlsx').catch(() => {})
            }
          >
            下载模板
          </Button>
        </Space>
        <Upload.Dragger
          // The filter accepts all files, so that a wrong type gets an error message.
          accept={{ format: '.json,.xlsx,.csv', filter: () => true }}
          showUploadList={false}
          disabled={loading}
          beforeUpload={(file) => (openFile(file), false)}
        >
          {loading ? '正在读取…' : '点击选择文件，或把文件拖到这里'}
        </Upload.Dragger>
        {readResult?.errors && <ImportErrors errors={readResult.errors} />}
        {nextModel && (
          <>
            <Radio.Group
              value={importMode}
              onChange={({ target }) => setImportMode(target.value as typeof importMode)}
              options={[
                { value: 'join', label: '加入现有功能（标识符相同的以文件为准）' },
                { value: 'replace', label: '替换全部功能' },
              ]}
            />
            {importRefusal && <Alert type="error" showIcon title={importRefusal} />}
            <ModelDifference changes={compareModels(model, nextModel)} empty="与现有功能相同" />
          </>
        )}
      </Flex>
    </PermissionModal>
  )
}

const ImportErrors = ({ errors }: { errors: ModelError[] }) => (
  <>
    <Alert type="error" showIcon title={`有 ${errors.length} 处错误，没有导入任何内容`} />
    <Table<ModelError>
      size="small"
      rowKey={({ place, field, reason }) => place + field + reason}
      dataSource={errors}
      scroll={{ x: 560 }}
      pagination={{ pageSize: 8, hideOnSinglePage: true, showSizeChanger: false }}
      columns={[
        { title: '位置', dataIndex: 'place', width: 240 },
        { title: '字段', dataIndex: 'field', width: 120 },
        { title: '原因', dataIndex: 'reason' },
      ]}
    />
  </>
)
