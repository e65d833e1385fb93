import PlusOutlined from '@ant-design/icons/PlusOutlined'
import Button from 'antd/es/button'
import Input from 'antd/es/input'
import Space from 'antd/es/space'
import Table from 'antd/es/table'
import { useState } from 'react'
import { download } from '@iot/shared/client/call'
import { listFunctions, type ThingFunction } from '@iot/shared/contract/thingModel/modelDifference'
import { toTextOptions } from '@iot/shared/contract/options'
import type { FunctionKind } from '@iot/shared/contract/thingModel/thingModel'
import { kindText } from '@iot/shared/contract/thingModel/thingText'
import { renderSelectionTitle, ignoreHandled } from '@iot/shared/ui/batch'
import { ButtonMenu } from '@iot/shared/ui/buttonMenu'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { Toolbar } from '@iot/shared/ui/toolbar'
import { DisabledWithReason } from '@iot/shared/ui/right'
import { useComposedText } from '@iot/shared/ui/composition'
import { Select } from '@iot/shared/ui/select'
import type { ModelOwner, ModelEditing } from './modelEditing'
import { createFunctionColumns, type OpenFunction } from './functionColumns'
import { normalizeForSearch } from '@iot/shared/contract/text'
import { SelectionBar } from './SelectionBar'
import { useModelChanges } from './useModelChanges'
import { useReorder } from './useReorder'

const FunctionForm = lazyDialog(() => import('./FunctionForm'))
const ImportModel = lazyDialog(() => import('./ImportModel'))

const kindOptions = toTextOptions(kindText)

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
