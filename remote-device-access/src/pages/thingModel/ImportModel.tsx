import { useRequest } from 'ahooks'
import { Alert, App, Button, Flex, Radio, Space, Table, Upload } from 'antd'
import { useState } from 'react'
import { download } from '@iot/shared/client/call'
import { withFunction } from '@iot/shared/contract/conformance'
import { refuseModel } from '@iot/shared/contract/keptTypes'
import { differenceOf, functionsOf } from '@iot/shared/contract/modelDifference'
import { readModelTable } from '@iot/shared/contract/modelSheet'
import type { ModelError, ReadModel } from '@iot/shared/contract/readModel'
import { ThingModel } from '@iot/shared/contract/thingModel'
import { readTsl } from '@iot/shared/contract/tsl'
import { readTable } from '@iot/shared/ui/readTable'
import { RightModal } from '@iot/shared/ui/rightModal'
import { Difference } from './Difference'
import type { Editing } from './editing'

const bytesMost = 2 * 1024 * 1024
const refused = (reason: string): ReadModel => ({ errors: [{ place: '文件', field: '', reason }] })

async function read(file: File): Promise<ReadModel> {
  if (file.size > bytesMost) return refused('文件超过 2 MB')
  if (/\.json$/i.test(file.name)) return readTsl(await file.text())
  try {
    return readModelTable((await readTable(file)).table)
  } catch (error) {
    return refused((error as Error).message)
  }
}

/** Imported functions replace those with the same identifier; all others stay. */
const joined = (model: ThingModel, from: ThingModel) =>
  functionsOf(from).reduce((all, one) => withFunction(all, one), {
    ...model,
    ...(from.extra && { extra: from.extra }),
  })

type ImportModelProps = Pick<Editing, 'change' | 'locked' | 'refusal'> & {
  model: ThingModel
  onClose: () => void
}

/**
 * Imports functions from a TSL file or a table. A file with errors lists their locations and imports nothing; a valid
 * file previews its changes.
 */
export default function ImportModel({ model, locked, refusal, change, onClose }: ImportModelProps) {
  const { message } = App.useApp()
  const [found, setFound] = useState<ReadModel>()
  const [way, setWay] = useState<'join' | 'replace'>('join')
  const { run: open, loading } = useRequest(async (file: File) => setFound(await read(file)), {
    manual: true,
  })
  const wanted = found && !found.errors ? found.model : undefined
  const made = (from: ThingModel, now: ThingModel) => (way === 'join' ? joined(now, from) : from)
  const next = wanted && made(wanted, model)
  // One identifier may be a property in the model and an event in the file.
  const clash = next && ThingModel.safeParse(next).error?.issues[0]?.message
  const why = clash ?? (next && locked.size > 0 ? refuseModel(model, next) : undefined)
  const { run: take, loading: taking } = useRequest(
    async () => {
      if (!(await change((now) => made(wanted!, now)))) return
      message.success(`已导入 ${functionsOf(wanted!).length} 项功能`)
      onClose()
    },
    { manual: true },
  )

  return (
    <RightModal
      open
      unless={refusal}
      title="导入功能"
      width={760}
      style={{ top: 40 }}
      okText="导入"
      okButtonProps={{ disabled: !wanted || !!why }}
      confirmLoading={taking}
      onOk={take}
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
          beforeUpload={(file) => (open(file), false)}
        >
          {loading ? '正在读取…' : '点击选择文件，或把文件拖到这里'}
        </Upload.Dragger>
        {found?.errors && <Errors errors={found.errors} />}
        {next && (
          <>
            <Radio.Group
              value={way}
              onChange={({ target }) => setWay(target.value as typeof way)}
              options={[
                { value: 'join', label: '加入现有功能（标识符相同的以文件为准）' },
                { value: 'replace', label: '替换全部功能' },
              ]}
            />
            {why && <Alert type="error" showIcon title={why} />}
            <Difference changes={differenceOf(model, next)} empty="与现有功能相同" />
          </>
        )}
      </Flex>
    </RightModal>
  )
}

const Errors = ({ errors }: { errors: ModelError[] }) => (
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
