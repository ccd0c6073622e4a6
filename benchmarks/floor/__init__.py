"""The floor of the framework: what any Django REST service pays, whatever it does.

One view, a plain Serializer, one insert or one read through the ORM, the key looked up through the
ORM. Server, database and connection settings are those of the service.
"""
