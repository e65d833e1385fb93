import { HolderOutlined, PlusOutlined } from '@ant-design/icons'
import { App, Button, Input, Select, Space, Table, type TableColumnsType } from 'antd'
import { useState } from 'react'
import { download } from '@iot/shared/client/call'
import { widgetOf } from '@iot/shared/contract/controlType'
import { functionsOf, type ThingFunction } from '@iot/shared/contract/modelDifference'
import { optionsOf } from '@iot/shared/contract/options'
import type { FunctionKind, ThingModel } from '@iot/shared/contract/thingModel'
import {
  accessText,
  callText,
  eventText,
  kindText,
  paramWords,
  typeWords,
} from '@iot/shared/contract/thingText'
import { BatchBar, quietTitle } from '@iot/shared/ui/batch'
import { ButtonMenu } from '@iot/shared/ui/buttonMenu'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { Toolbar } from '@iot/shared/ui/toolbar'
import { Because } from '@iot/shared/ui/right'
import { useComposed } from '@iot/shared/ui/composition'
import { ControlPreview } from './ControlPreview'
import type { Carrier, Editing } from './editing'
import { FunctionActions } from './FunctionActions'
import { foldSearch } from '@iot/shared/contract/text'
import { copyOf, countFlagged, moved, setFlag, without } from './operations'
import * as styles from './thingModel.module.css'
import { useReorder } from './useReorder'

const FunctionForm = lazyPart(() => import('./FunctionForm'))
const ImportModel = lazyPart(() => import('./ImportModel'))

const kinds = optionsOf(kindText)
const flags = { required: '必选', isHistory: '保存历史', isMonitor: '实时监控' } as const

const access = (one: ThingFunction) =>
  one.kind === 'properties'
    ? accessText[one.accessMode]
    : one.kind === 'services'
      ? callText[one.callType]
      : eventText[one.type]
/** Describes the content of a function; a service has one line for input and one for output. */
function content(one: ThingFunction) {
  if (one.kind === 'properties') return typeWords(one.dataType)
  if (one.kind === 'events') return paramWords(one.outputData) || '—'
  const ways = { 输入: paramWords(one.inputData), 输出: paramWords(one.outputData) }
  const said = Object.entries(ways).filter(([, words]) => words)
  return said.length === 0
    ? '—'
    : said.map(([way, words]) => <div key={way}>{`${way}：${words}`}</div>)
}

type ModelEditorProps = { editing: Editing; name: string; take: (carrier: Carrier) => void }

/** Edits the functions of a category or product; each change is saved at once. */
export default function ModelEditor({ editing, name, take }: ModelEditorProps) {
  const { modal, message } = App.useApp()
  const { carrier, change, refusal, locked, files } = editing
  const [asked, setAsked] = useState('')
  const words = useComposed(asked)
  const [kind, setKind] = useState<FunctionKind>()
  const [ticked, setTicked] = useState<string[]>([])
  const [open, setOpen] = useState<{ given?: ThingFunction; isNew: boolean }>()
  const [isImporting, setImporting] = useState(false)

  const all = functionsOf(carrier.model)
  const rows = all.filter(
    (one) =>
      (!kind || one.kind === kind) &&
      foldSearch(`${one.name} ${one.identifier}`).includes(foldSearch(words)),
  )
  const mayDrag = !refusal && rows.length === all.length
  const make = (op: (model: ThingModel) => ThingModel, said: string) =>
    change(op).then((saved) => saved && void message.success(said))
  const drag = useReorder((dragged, onto, isBelow) =>
    make((model) => moved(model, dragged, onto.identifier, isBelow), `已移动“${dragged.name}”`),
  )
  const remove = (ids: string[], what: string, note?: string | false) =>
    modal.confirm({
      title: `删除${what}？`,
      content: note,
      okText: '删除',
      okButtonProps: { danger: true },
      onOk: async () => {
        await make((model) => without(model, ids), `${what}已删除`)
        setTicked([])
      },
    })
  // A colleague may have removed a selected function.
  const chosen = all.map(({ identifier }) => identifier).filter((id) => ticked.includes(id))
  const free = chosen.filter((id) => !locked.has(id))
  const inUse = chosen.length - free.length
  const removeMany = () =>
    remove(
      free,
      `选中的 ${free.length} 项功能`,
      inUse > 0 && `跳过 ${inUse} 项：产品已发布，设备在使用这些功能。`,
    )
  const save = (as: 'json' | 'xlsx') => download(`${files}.${as}`, `${name}.${as}`).catch(() => {})
  const flagMany = (flag: string, title: string, isOn: boolean) => {
    const count = countFlagged(carrier.model, chosen, flag)
    const skipped = chosen.length - count
    if (count === 0) return void message.warning(`选中的都没有“${title}”`)
    return make(
      (model) => setFlag(model, chosen, flag, isOn),
      `${count} 项已${isOn ? '设为' : '取消'}${title}${skipped > 0 ? `，跳过 ${skipped} 项：服务和事件没有“${title}”` : ''}`,
    )
  }

  const columns: TableColumnsType<ThingFunction> = [
    {
      key: 'handle',
      width: 32,
      render: () => mayDrag && <HolderOutlined className={styles.handle} aria-hidden />,
    },
    { key: 'kind', title: '类型', width: 64, render: (_, one) => kindText[one.kind] },
    {
      key: 'name',
      title: '功能',
      width: 220,
      render: (_, one) => (
        <>
          {one.name}
          <br />
          <code className={styles.code}>{one.identifier}</code>
        </>
      ),
    },
    { key: 'content', title: '数据类型或参数', render: (_, one) => content(one) },
    { key: 'access', title: '读写', width: 72, render: (_, one) => access(one) },
    {
      key: 'required',
      title: '必选',
      width: 60,
      render: (_, { required }) => (required ? '必选' : '—'),
    },
    {
      key: 'control',
      title: '控件预览',
      width: 190,
      render: (_, one) =>
        one.kind === 'properties' ? (
          <ControlPreview {...one} widget={widgetOf(one, editing.controls ?? [])} />
        ) : (
          '—'
        ),
    },
    {
      key: 'actions',
      title: '操作',
      width: 94,
      fixed: 'right',
      render: (_, one) => (
        <FunctionActions
          one={one}
          refusal={refusal}
          isLocked={locked.has(one.identifier)}
          siblings={carrier.model[one.kind]}
          onEdit={() => setOpen({ given: one, isNew: false })}
          onCopy={() => setOpen({ given: copyOf(carrier.model, one), isNew: true })}
          onStep={(onto, isBelow) =>
            make((model) => moved(model, one, onto, isBelow), `已移动“${one.name}”`)
          }
          onRemove={() => remove([one.identifier], `“${one.name}”`)}
        />
      ),
    },
  ]

  return (
    <>
      <Toolbar
        filters={
          <Space wrap>
            <Input
              allowClear
              placeholder="功能名称或标识符"
              aria-label="功能名称或标识符"
              value={asked}
              onChange={({ target }) => setAsked(target.value)}
              style={{ width: 180 }}
            />
            <Select
              allowClear
              placeholder="类型"
              aria-label="类型"
              options={kinds}
              value={kind}
              onChange={setKind}
              style={{ width: 100 }}
            />
          </Space>
        }
        batch={
          <BatchBar count={chosen.length} onClear={() => setTicked([])}>
            {Object.entries(flags).map(([flag, title]) => (
              <ButtonMenu
                key={flag}
                entries={[
                  { label: `设为${title}`, onClick: () => flagMany(flag, title, true) },
                  { label: `取消${title}`, onClick: () => flagMany(flag, title, false) },
                ]}
              >
                <Button>{title}</Button>
              </ButtonMenu>
            ))}
            <Because why={free.length === 0 && '产品已发布，设备在使用这些功能'}>
              <Button danger onClick={removeMany}>
                删除
              </Button>
            </Because>
          </BatchBar>
        }
      >
        <Because why={refusal}>
          <Button onClick={() => setImporting(true)}>导入</Button>
        </Because>
        <ButtonMenu
          entries={[
            { label: '导出 TSL（.json）', onClick: () => save('json') },
            { label: '导出 .xlsx', onClick: () => save('xlsx') },
          ]}
        >
          <Button>导出</Button>
        </ButtonMenu>
        <Because why={refusal}>
          <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen({ isNew: true })}>
            新建功能
          </Button>
        </Because>
      </Toolbar>
      <Table<ThingFunction>
        rowKey="identifier"
        size="small"
        columns={columns}
        dataSource={rows}
        pagination={false}
        onRow={mayDrag ? drag : undefined}
        rowSelection={
          refusal
            ? undefined
            : {
                columnTitle: quietTitle,
                selectedRowKeys: ticked,
                onChange: (keys) => setTicked(keys.map(String)),
                getTitleCheckboxProps: () => ({ 'aria-label': '全选' }),
                getCheckboxProps: (one) => ({ 'aria-label': `选择“${one.name}”` }),
              }
        }
        locale={{
          emptyText:
            all.length > 0
              ? '没有符合条件的功能'
              : refusal
                ? '还没有功能'
                : '还没有功能，点“新建功能”添加，或从文件导入',
        }}
        scroll={{ x: 960 }}
        style={{ marginTop: 16 }}
      />
      {open && (
        <FunctionForm
          editing={editing}
          {...open}
          take={take}
          onSaved={() => {}}
          onClose={() => setOpen(undefined)}
        />
      )}
      {isImporting && (
        <ImportModel
          model={carrier.model}
          {...{ locked, refusal, change }}
          onClose={() => setImporting(false)}
        />
      )}
    </>
  )
}
