"""A serializer class and a Selection, compiled: a level for each resource, a statement for each relation."""

from collections.abc import Callable
from functools import lru_cache

from kit.query.selection import Constant, Selection
from kit.reads.declarations.computed import BatchField, BatchRelation, ConstantField, RowField, RowObject, SqlField
from kit.reads.declarations.fields import Joined, ResourceSerializerClass, ToMany, ToOne
from kit.reads.plans import rows
from kit.reads.plans.field_picking import picker
from kit.reads.plans.levels import BatchCell, Join, Level
from kit.reads.plans.parent_links import ROOT, ParentLink, reference_keys
from kit.reads.plans.related_order import passes
from kit.reads.sql.columns import Columns, taker, values


@lru_cache(maxsize=512)
def compile_plan(
    serializer_class: ResourceSerializerClass,
    selection: Selection,
    widened: frozenset[str] = frozenset(),
    *,
    with_deleted: bool = False,
) -> Level:
    """The plan for a resource and a selection.

    widened: relations that a flag extends to the whole chain (to-one) or tree (to-many).
    with_deleted: whether related rows that are deleted show.
    """
    return _Plan(serializer_class, selection, ROOT, with_deleted=with_deleted).level(widened)


class _Plan:
    """One level while it is compiled."""

    def __init__(
        self, serializer_class: ResourceSerializerClass, selection: Selection, link: ParentLink, *, with_deleted: bool
    ) -> None:
        self._class = serializer_class
        self._fields = serializer_class._declared_fields
        self._model = serializer_class.Meta.model
        self._selection = selection
        self._named = dict(selection.names)
        self._link = link
        self._with_deleted = with_deleted
        self._columns = Columns()
        self._sources: dict[str, str] = {}
        self._functions: dict[str, Callable[..., object]] = {}
        self._fields_by_call: dict[BatchField, list[str]] = {}
        self._joins: list[Join] = []
        self._values = len(selection.scalars) + len(selection.relations)
        self._batches: list[BatchCell] = []

    def level(self, widened: frozenset[str] = frozenset(), far_columns: tuple[str, ...] = ()) -> Level:
        for key in self._selection.scalars:
            self._add_scalar(key, self._named.get(key, key))
        for field, keys in self._fields_by_call.items():
            self._add_computed(tuple(keys), field)
        for column in far_columns:
            self._columns.position(column)
        for key, below in self._selection.relations:
            self._add_relation(key, str(self._named.get(key, key)), below, widened)
        return Level(
            model=self._model,
            columns=tuple(self._columns.read),
            build=rows.row_builder(rows.in_order(self._selection, self._sources), **self._functions),
            joins=tuple(self._joins),
            batches=tuple(self._batches),
            copies=self._selection.copies,
            values=self._values,
        )

    def _add_scalar(self, key: str, name: str | Constant) -> None:
        field = None if isinstance(name, Constant) else self._fields[name]
        if isinstance(field, BatchField):
            self._sources[key] = "None"  # its place, until it is computed
            self._fields_by_call.setdefault(field, []).append(key)
        else:
            self._sources[key] = self._source(self._class, name)

    def _source(self, of: ResourceSerializerClass, name: str | Constant, path: str = "") -> str:
        """The source of a scalar of that class. path: the ORM path to its row, if that is not this level's own."""
        if isinstance(name, Constant):
            return repr(name.value)
        field = of._declared_fields[name]
        decoder = rows.decoder_of(field)
        as_plain_text = decoder in rows.TEXT_DECODED
        if isinstance(field, ConstantField):
            return repr(field.value)
        if isinstance(field, RowField):
            function = f"function{len(self._functions)}"
            self._functions[function] = field.compute
            value = f"{function}({values(self._model, [path + each for each in field.columns], self._columns, ())})"
            return value if decoder is None else f"{decoder}({value})"
        if isinstance(field, BatchField) or (path and isinstance(field, SqlField)):
            raise TypeError(f"{name} of {of.__name__} cannot be read with the row that holds it")
        if isinstance(field, SqlField):
            index = self._columns.expression(field, field.expression, as_plain_text=as_plain_text)
        else:
            index = self._columns.position(path + (field.source or name), as_plain_text=as_plain_text)
        return rows.column(index, decoder)

    def _object(self, of: ResourceSerializerClass, below: Selection, path: str = "") -> str:
        """The source of an object whose values this level's row holds."""
        if below.relations:
            raise TypeError(f"relations of {of.__name__} cannot be read with the row that holds it")
        self._values += below.values
        named = dict(below.names)
        sources = {key: self._source(of, named.get(key, key), path) for key in below.scalars}
        return rows.display(rows.in_order(below, sources))

    def _related_object(self, relation: ToOne, below: Selection) -> str:
        """The source of a related row that is read with this one; a deleted one does not show."""
        key = self._columns.position(relation.key)
        deleted_at = self._columns.position(f"{relation.select_related}__deleted_at", as_plain_text=True)
        shown = self._object(relation.to(), below, f"{relation.select_related}__")
        return f"None if r[{key}] is None or r[{deleted_at}] is not None else {shown}"

    def _add_computed(self, keys: tuple[str, ...], field: BatchField) -> None:
        take = taker(self._model, field.columns, self._columns)
        self._batches.append(BatchCell(keys, field.load, take, rows.encoder_of(field.output_field)))

    def _add_relation(self, key: str, name: str, below: Selection, widened: frozenset[str]) -> None:
        relation = self._fields[name]
        if isinstance(relation, BatchRelation):
            take = taker(self._model, relation.columns, self._columns)
            self._batches.append(BatchCell((key,), relation.load, take, picker(relation, below), below))
            self._values += below.values
            return
        if isinstance(relation, RowObject):
            self._sources[key] = self._object(relation.to(), below)
            return
        if not isinstance(relation, Joined):
            raise TypeError(f"{name} of {self._class.__name__} stands in no computed object, and cannot be read")
        reference = reference_keys(below)
        if reference is not None and self._link.leads_back(self._class, name):
            self._sources[key] = rows.reference(self._columns.position(relation.key), reference)
            self._values += below.values
        elif isinstance(relation, ToOne) and relation.select_related is not None and not self._with_deleted:
            self._sources[key] = self._related_object(relation, below)
        else:
            self._joins.append(self._join(key, name, relation, below, wide=name in widened))

    def _join(self, key: str, name: str, relation: Joined, below: Selection, *, wide: bool) -> Join:
        to = relation.to()
        own, related = self._model._meta.pk.attname, to.Meta.model._meta.pk.attname
        order: tuple[str, ...] = ()
        if isinstance(relation, ToMany):
            near, far_column, order = self._columns.position(own), relation.key, (*relation.order, related)
        else:
            assert isinstance(relation, ToOne)  # noqa: S101 - a relation between tables is the one or the other
            near, far_column = self._columns.position(relation.key), relation.far or related
        present_if = relation.present_if if isinstance(relation, ToMany) else ()
        path = None
        far_columns = (far_column, *(column.removeprefix("-") for column in order))
        if wide:
            if relation.path is None:
                raise AssertionError(f"{name} declares no path and cannot be widened")
            path = self._columns.position(relation.path)
            below = _without(below, name)
            far_columns = (*far_columns, related, relation.key)
        plan = _Plan(to, below, self._link.down(self._model, relation), with_deleted=self._with_deleted)
        level = plan.level(far_columns=far_columns)
        return Join(
            name=key,
            relation=relation,
            level=level,
            near=near,
            far=level.columns.index(far_column),
            sorting=passes(level, order) if order else (),
            present_if=tuple(map(self._columns.position, present_if)),
            path=path,
            at_hand=(
                level.model is self._model
                and not (relation.many or wide or level.joins or level.batches)
                and tuple(self._columns.read[: len(level.columns)]) == level.columns
            ),
        )


def _without(selection: Selection, name: str) -> Selection:
    """The selection without that relation, under whatever key: where it is widened, every level has it already."""
    named = dict(selection.names)
    relations = tuple(each for each in selection.relations if named.get(each[0], each[0]) != name)
    return Selection(selection.scalars, relations, selection.names, selection.order)
