"""The parts that every web server of the companion uses: connections and their limits, request bodies,
sessions, roles, static files, addresses in the network.

May use the table's thread and the journal, for PINs and health. It knows no page and no view.
"""
