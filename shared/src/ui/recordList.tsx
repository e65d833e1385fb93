import type { ComponentProps, ReactNode } from 'react'
import type { Endpoint, Output } from '../contract/endpoint'
import { useBatch, type Batch } from './batch'
import { useRemoveRow } from './confirmRemove'
import type { FilteredList } from './filterSelection'
import { ExportButton, ImportButton, type ExportEndpoint } from './importExport'
import { ListTable } from './listTable'
import { StatusBatch } from './status'
import { CreateButton } from './toolbar'
import { useEditing } from './useDraft'
import { usePage } from './usePage'

type RecordApi = {
  page: Endpoint
  create: Endpoint
  update: Endpoint
  remove: Endpoint
  setStatus: Endpoint
  removeMany?: Endpoint
  exportRows?: ExportEndpoint
  importRows?: ComponentProps<typeof ImportButton>['to']
}
type NamedRow = { id: string; name: string }
type RecordRow<A extends RecordApi> =
  Output<A['page']> extends { list: (infer T extends NamedRow)[] } ? T : never

type RecordListOptions = Omit<Parameters<typeof usePage>[1], 'create'> & {
  /** Name of the drafts of the form. */
  draft: string
  /** Chinese name of a record, such as 品牌. */
  title: string
}

/**
 * State of a list whose records are created and edited in a dialog, selected, and removed.
 * @example const list = useRecordList(brandApi, { draft: 'brand', title: '品牌', empty: '还没有品牌' })
 */
export function useRecordList<A extends RecordApi>(
  api: A,
  { draft, title, ...pageOptions }: RecordListOptions,
) {
  const list = usePage<A['page']>(api.page, { ...pageOptions, create: api.create })
  const batch = useBatch(list as FilteredList)
  const [editing, edit, unsavedNotice] = useEditing<RecordRow<A> | 'new'>(draft, title)
  const remove = useRemoveRow(api.remove, list.refresh)
  return {
    ...list,
    api,
    title,
    batch,
    editing,
    edit,
    close: () => edit(undefined),
    remove,
    unsavedNotice,
  }
}

type RecordListProps<T extends NamedRow> = Pick<
  ComponentProps<typeof ListTable<T>>,
  'columns' | 'filters' | 'batchActions' | 'children'
> & {
  list: ComponentProps<typeof ListTable<T>>['list'] &
    Pick<ReturnType<typeof useRecordList>, 'input' | 'refresh' | 'title' | 'unsavedNotice'> & {
      api: RecordApi
      batch: Batch
      editing: T | 'new' | undefined
      edit: (record: 'new') => void
    }
  /** Says in the import dialog how special columns are written. */
  importNote?: string
  /** Renders the form of a record; it is undefined for a new one. */
  form: (record: T | undefined) => ReactNode
}

/**
 * The frame of a list of {@link useRecordList}: unsaved input, filters, buttons, bulk actions, rows, and the open form.
 * `children` are further buttons. Import and export appear if the resource declares their calls.
 * @example <RecordList<Brand> list={list} columns={columns} filters={[textFilter('name', '品牌名称')]}
 * form={(brand) => <BrandForm brand={brand} onSaved={list.saved} onClose={list.close} />} />
 */
export function RecordList<T extends NamedRow>({
  list,
  importNote,
  form: renderForm,
  children,
  ...tableProps
}: RecordListProps<T>) {
  const { api, batch, editing } = list
  return (
    <>
      {list.unsavedNotice}
      <ListTable<T>
        list={list}
        selection={batch.selection}
        batchActions={<StatusBatch batch={batch} api={api} />}
        {...tableProps}
      >
        {children}
        {api.importRows && (
          <ImportButton
            name={list.title}
            to={api.importRows}
            update={api.update}
            note={importNote}
            onImported={list.refresh}
          />
        )}
        {api.exportRows && <ExportButton from={api.exportRows} input={list.input} />}
        <CreateButton to={api.create} onClick={() => list.edit('new')} />
      </ListTable>
      {editing && renderForm(editing === 'new' ? undefined : editing)}
    </>
  )
}
