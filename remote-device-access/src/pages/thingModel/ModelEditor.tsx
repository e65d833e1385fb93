import { HolderOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Input, Select, Space, Table, type TableColumnsType } from 'antd'
import { useState } from 'react'
import { download } from '@iot/shared/client/call'
import { findWidget } from '@iot/shared/contract/product/controlType'
import { listFunctions, type ThingFunction } from '@iot/shared/contract/thingModel/modelDifference'
import { toTextOptions } from '@iot/shared/contract/options'
import type { FunctionKind } from '@iot/shared/contract/thingModel/thingModel'
import type { ThingModel } from '@iot/shared/contract/thingModel/thingModel.schema'
import {
  accessText,
  callText,
  eventText,
  kindText,
  describeParams,
  describeType,
} from '@iot/shared/contract/thingModel/thingText'
import { BatchBar, renderSelectionTitle, ignoreHandled } from '@iot/shared/ui/batch'
import { ButtonMenu } from '@iot/shared/ui/buttonMenu'
import { useFeedback } from '@iot/shared/ui/feedback'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { Toolbar } from '@iot/shared/ui/toolbar'
import { DisabledWithReason } from '@iot/shared/ui/right'
import { useComposedText } from '@iot/shared/ui/composition'
import { ControlPreview } from './ControlPreview'
import type { ModelOwner, ModelEditing } from './modelEditing'
import { FunctionActions } from './FunctionActions'
import { normalizeForSearch } from '@iot/shared/contract/text'
import {
  copyFunction,
  countFlagged,
  moveFunction,
  setFlag,
  removeFunctions,
} from './modelOperations'
import * as styles from './thingModel.module.css'
import { useReorder } from './useReorder'

const FunctionForm = lazyDialog(() => import('./FunctionForm'))
const ImportModel = lazyDialog(() => import('./ImportModel'))

const kindOptions = toTextOptions(kindText)
const flagTexts = { required: '必选', isHistory: '保存历史', isMonitor: '实时监控' } as const

const describeAccess = (thingFunction: ThingFunction) =>
  thingFunction.kind === 'properties'
    ? accessText[thingFunction.accessMode]
    : thingFunction.kind === 'services'
      ? callText[thingFunction.callType]
      : eventText[thingFunction.type]
/** Describes the content of a function; a service has one line for input and one for output. */
function describeContent(thingFunction: ThingFunction) {
  if (thingFunction.kind === 'properties') return describeType(thingFunction.dataType)
  if (thingFunction.kind === 'events') return describeParams(thingFunction.outputData) || '—'
  const paramTexts = {
    输入: describeParams(thingFunction.inputData),
    输出: describeParams(thingFunction.outputData),
  }
  const filledParamTexts = Object.entries(paramTexts).filter(([, paramText]) => paramText)
  return filledParamTexts.length === 0
    ? '—'
    : filledParamTexts.map(([directionLabel, paramText]) => (
        <div key={directionLabel}>{`${directionLabel}：${paramText}`}</div>
      ))
}

type OpenFunction = { given?: ThingFunction; isNew: boolean }
type ModelChanges = ReturnType<typeof useModelChanges>
type ModelEditorProps = { editing: ModelEditing; name: string; take: (carrier: ModelOwner) => void }

/** Edits the functions of a category or product; each change is saved at once. */
export default function ModelEditor({ editing, name, take }: ModelEditorProps) {
  const { carrier, change, refusal, locked, files: downloadPath } = editing
  const allFunctions = listFunctions(carrier.model)
  const { rows, filters } = useFunctionSearch(allFunctions)
  const [tickedIds, setTickedIds] = useState<string[]>([])
  const [openFunction, setOpenFunction] = useState<OpenFunction>()
  const [isImporting, setImporting] = useState(false)
  const clearSelection = () => setTickedIds([])
  const changes = useModelChanges(editing, clearSelection)

  const canDrag = !refusal && rows.length === allFunctions.length
  const getDragProps = useReorder((dragged, targetFunction, isBelow) => {
    changes.move(dragged, targetFunction.identifier, isBelow).catch(ignoreHandled)
  })
  // A colleague may have removed a selected function.
  const selectedIds = allFunctions
    .map(({ identifier }) => identifier)
    .filter((id) => tickedIds.includes(id))
  const downloadModel = (as: 'json' | 'xlsx') =>
    download(`${downloadPath}.${as}`, `${name}.${as}`).catch(() => {})
  const columns = createFunctionColumns({ editing, changes, canDrag, onOpen: setOpenFunction })

  return (
    <>
      <Toolbar
        filters={filters}
        batch={
          <SelectionBar
            editing={editing}
            changes={changes}
            selectedIds={selectedIds}
            onClear={clearSelection}
          />
        }
      >
        <DisabledWithReason why={refusal}>
          <Button onClick={() => setImporting(true)}>导入</Button>
        </DisabledWithReason>
        <ButtonMenu
          entries={[
            { label: '导出 TSL（.json）', onClick: () => downloadModel('json') },
            { label: '导出 .xlsx', onClick: () => downloadModel('xlsx') },
          ]}
        >
          <Button>导出</Button>
        </ButtonMenu>
        <DisabledWithReason why={refusal}>
          <Button
            type="primary"
            icon={<PlusOutlined />}
            onClick={() => setOpenFunction({ isNew: true })}
          >
            新建功能
          </Button>
        </DisabledWithReason>
      </Toolbar>
      <Table<ThingFunction>
        rowKey="identifier"
        size="small"
        columns={columns}
        dataSource={rows}
        pagination={false}
        onRow={canDrag ? getDragProps : undefined}
        rowSelection={
          refusal
            ? undefined
            : {
                columnTitle: renderSelectionTitle,
                selectedRowKeys: tickedIds,
                onChange: (keys) => setTickedIds(keys.map(String)),
                getTitleCheckboxProps: () => ({ 'aria-label': '全选' }),
                getCheckboxProps: (thingFunction) => ({
                  'aria-label': `选择“${thingFunction.name}”`,
                }),
              }
        }
        locale={{
          emptyText:
            allFunctions.length > 0
              ? '没有符合条件的功能'
              : refusal
                ? '还没有功能'
                : '还没有功能，点“新建功能”添加，或从文件导入',
        }}
        scroll={{ x: 960 }}
        style={{ marginTop: 16 }}
      />
      {openFunction && (
        <FunctionForm
          editing={editing}
          {...openFunction}
          take={take}
          onSaved={() => {}}
          onClose={() => setOpenFunction(undefined)}
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

/** Filters functions by name, identifier and kind; `filters` draws the inputs. */
function useFunctionSearch(allFunctions: ThingFunction[]) {
  const [searchText, setSearchText] = useState('')
  const composedSearch = useComposedText(searchText)
  const [kind, setKind] = useState<FunctionKind>()
  const rows = allFunctions.filter(
    (thingFunction) =>
      (!kind || thingFunction.kind === kind) &&
      normalizeForSearch(`${thingFunction.name} ${thingFunction.identifier}`).includes(
        normalizeForSearch(composedSearch),
      ),
  )
  const filters = (
    <Space wrap>
      <Input
        allowClear
        placeholder="功能名称或标识符"
        aria-label="功能名称或标识符"
        value={searchText}
        onChange={({ target }) => setSearchText(target.value)}
        style={{ width: 180 }}
      />
      <Select
        allowClear
        placeholder="类型"
        aria-label="类型"
        options={kindOptions}
        value={kind}
        onChange={setKind}
        style={{ width: 100 }}
      />
    </Space>
  )
  return { rows, filters }
}

/** Returns changes of the model that confirm and report themselves. */
function useModelChanges({ carrier, change }: ModelEditing, clearSelection: () => void) {
  const { modal, message } = useFeedback()
  const changeModel = (applyChange: (model: ThingModel) => ThingModel, successMessage: string) =>
    change(applyChange).then((savedModel) => savedModel && void message.success(successMessage))
  return {
    move: (thingFunction: ThingFunction, targetIdentifier: string, isBelow: boolean) =>
      changeModel(
        (model) => moveFunction(model, thingFunction, targetIdentifier, isBelow),
        `已移动“${thingFunction.name}”`,
      ),
    confirmRemove: (ids: string[], subject: string, warning?: string | false) =>
      modal.confirm({
        title: `删除${subject}？`,
        content: warning,
        okText: '删除',
        okButtonProps: { danger: true },
        onOk: async () => {
          await changeModel((model) => removeFunctions(model, ids), `${subject}已删除`)
          clearSelection()
        },
      }),
    setFlag: (ids: string[], flag: string, title: string, isOn: boolean) => {
      const flaggableCount = countFlagged(carrier.model, ids, flag)
      const skippedCount = ids.length - flaggableCount
      if (flaggableCount === 0) return void message.warning(`选中的都没有“${title}”`)
      return changeModel(
        (model) => setFlag(model, ids, flag, isOn),
        `${flaggableCount} 项已${isOn ? '设为' : '取消'}${title}${skippedCount > 0 ? `，跳过 ${skippedCount} 项：服务和事件没有“${title}”` : ''}`,
      )
    },
  }
}

type FunctionColumnsOptions = {
  editing: ModelEditing
  changes: ModelChanges
  canDrag: boolean
  onOpen: (openFunction: OpenFunction) => void
}

const createFunctionColumns = ({
  editing: { carrier, refusal, locked, controls },
  changes,
  canDrag,
  onOpen,
}: FunctionColumnsOptions): TableColumnsType<ThingFunction> => [
  {
    key: 'handle',
    width: 32,
    render: () => canDrag && <HolderOutlined className={styles.handle} aria-hidden />,
  },
  {
    key: 'kind',
    title: '类型',
    width: 64,
    render: (_, thingFunction) => kindText[thingFunction.kind],
  },
  {
    key: 'name',
    title: '功能',
    width: 220,
    render: (_, thingFunction) => (
      <>
        {thingFunction.name}
        <br />
        <code className={styles.code}>{thingFunction.identifier}</code>
      </>
    ),
  },
  {
    key: 'content',
    title: '数据类型或参数',
    render: (_, thingFunction) => describeContent(thingFunction),
  },
  {
    key: 'access',
    title: '读写',
    width: 72,
    render: (_, thingFunction) => describeAccess(thingFunction),
  },
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
    render: (_, thingFunction) =>
      thingFunction.kind === 'properties' ? (
        <ControlPreview {...thingFunction} widget={findWidget(thingFunction, controls ?? [])} />
      ) : (
        '—'
      ),
  },
  {
    key: 'actions',
    title: '操作',
    width: 94,
    fixed: 'right',
    render: (_, thingFunction) => (
      <FunctionActions
        rowFunction={thingFunction}
        refusal={refusal}
        isLocked={locked.has(thingFunction.identifier)}
        siblings={carrier.model[thingFunction.kind]}
        onEdit={() => onOpen({ given: thingFunction, isNew: false })}
        onCopy={() => onOpen({ given: copyFunction(carrier.model, thingFunction), isNew: true })}
        onStep={(targetIdentifier, isBelow) =>
          changes.move(thingFunction, targetIdentifier, isBelow)
        }
        onRemove={() =>
          changes.confirmRemove([thingFunction.identifier], `“${thingFunction.name}”`)
        }
      />
    ),
  },
]

type SelectionBarProps = {
  editing: ModelEditing
  changes: ModelChanges
  selectedIds: string[]
  onClear: () => void
}

function SelectionBar({ editing: { locked }, changes, selectedIds, onClear }: SelectionBarProps) {
  const removableIds = selectedIds.filter((id) => !locked.has(id))
  const lockedCount = selectedIds.length - removableIds.length
  const removeMany = () =>
    changes.confirmRemove(
      removableIds,
      `选中的 ${removableIds.length} 项功能`,
      lockedCount > 0 && `跳过 ${lockedCount} 项：产品已发布，设备在使用这些功能。`,
    )
  return (
    <BatchBar count={selectedIds.length} onClear={onClear}>
      {Object.entries(flagTexts).map(([flag, title]) => (
        <ButtonMenu
          key={flag}
          entries={[
            {
              label: `设为${title}`,
              onClick: () => changes.setFlag(selectedIds, flag, title, true),
            },
            {
              label: `取消${title}`,
              onClick: () => changes.setFlag(selectedIds, flag, title, false),
            },
          ]}
        >
          <Button>{title}</Button>
        </ButtonMenu>
      ))}
      <DisabledWithReason why={removableIds.length === 0 && '产品已发布，设备在使用这些功能'}>
        <Button danger onClick={removeMany}>
          删除
        </Button>
      </DisabledWithReason>
    </BatchBar>
  )
}
