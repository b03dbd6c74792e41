"""The admin site as a whole: navigation, breadcrumbs, dashboard, search by Ctrl+K."""
