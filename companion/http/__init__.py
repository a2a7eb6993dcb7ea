"""What every web server here needs: connections and their limits, request bodies, sessions, roles, static
files, addresses in the network.

May use the table's thread and the journal, for PINs and health. It knows no page and no view.
"""
